/// A binary heap that returns the smallest element first.
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    var index = elements.count
    elements.append(element)
    while index > 0 {
      let parent = (index - 1) / 2
      guard elements[index] < elements[parent] else { return }
      elements.swapAt(index, parent)
      index = parent
    }
  }

  mutating func removeFirst() -> Element {
    elements.swapAt(0, elements.count - 1)
    let first = elements.removeLast()
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < elements.count else { return first }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[index] else { return first }
      elements.swapAt(index, child)
      index = child
    }
  }
}

/// Says something other than is shown, where views are read out.
struct LabelledView<Content: View>: PrimitiveView {
  let content: Content
  let label: String

  func build(in tree: ViewTree) {
    guard tree.environment.isSpoken else { return content.build(in: tree) }
    if !label.isEmpty { Text(label).build(in: tree) }
  }
}

extension View {
  /// What is read out in place of the view, for drawings that mean something: see
  /// ``ViewHost/spokenLines(of:columns:rows:)``. With an empty label nothing is said.
  public func accessibilityLabel(_ label: String) -> some View {
    LabelledView(content: self, label: label)
  }
}

extension ViewHost {
  /// A view in words, line by line, for screen readers and for output that isn't a terminal: without
  /// boxes and pictures, from top to bottom, each thing with its label. Only the topmost sheet or
  /// dialog is read, if there is one, and the messages over it.
  ///
  /// - Parameters:
  ///   - columns: The width at which the text breaks.
  ///   - rows: The height on offer, which bounds how many rows of a list are read.
  public func spokenLines(of view: some View, columns: Int = 100, rows: Int = 200) -> [String] {
    let size = Size(columns: max(0, columns), rows: max(0, rows))
    let tree = ViewTree(theme: theme.adapted(to: .none))
    tree.isSpoken = true
    tree.layOut(view, size: size)
    var lines: [String] = []
    for layer in tree.spokenLayers {
      let screen = Screen(depth: .none, links: tree.links)
      screen.begin(size: size)
      tree.draw(layer.root, on: Canvas(screen: screen, glyphs: theme.glyphs))
      for line in Frame(screen: screen).lines {
        // Where things stand is not said.
        let words = line.split(separator: " ")
        if !words.isEmpty { lines.append(words.joined(separator: " ")) }
      }
    }
    return lines
  }
}

extension ViewTree {
  /// The layers that are read out, in their order.
  fileprivate var spokenLayers: [Layer] {
    [layers[topModalLayer]] + layers.filter { $0.kind == .floating }
  }
}

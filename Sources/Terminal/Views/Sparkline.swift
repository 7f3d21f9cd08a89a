/// Numbers as a row of small bars, the newest at the right: `▂▃▅▇▆`.
public struct Sparkline: PrimitiveView {
  private let values: [Double]
  private let role: ThemeRole

  /// - Parameter values: Oldest first. The highest fills its cell; what is negative or not a
  ///   number counts as 0. Those that do not fit are left out at the left.
  public init(_ values: [Double], role: ThemeRole = .accent) {
    self.values = values
    self.role = role
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(spoken).build(in: tree) }
    var style = tree.theme[role]
    style.background = tree.environment.style.background
    tree.add(SparklineElement(values: values, style: style))
  }
}

extension Sparkline {
  /// The newest number, and between which ones it lies.
  private var spoken: String {
    let finite = values.filter(\.isFinite)
    guard let last = finite.last, let least = finite.min(), let most = finite.max() else {
      return "no numbers"
    }
    return "\(shortNumber(last)), between \(shortNumber(least)) and \(shortNumber(most))"
  }
}

/// A number with at most two decimals.
private func shortNumber(_ value: Double) -> String { svgNumber(value) }

struct SparklineElement: Element {
  let values: [Double]
  let style: Style

  private static let bars: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let columns = proposal.columns == Proposal.ideal ? values.count : proposal.columns
    return Size(columns: min(values.count, columns), rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let most = values.reduce(0) { $1.isFinite ? max($0, $1) : $0 }
    for (column, value) in values.suffix(rect.columns).enumerated() {
      let share = most > 0 && value.isFinite ? max(0, value) / most : 0
      let bar = Self.bars[min(7, Int((share * 7).rounded()))]
      canvas.put(bar, at: rect.origin.offset(columns: column), style: style)
    }
  }
}

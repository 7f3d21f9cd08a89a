/// A bar that shows how much of something is done or left: `━━━━━╾────`.
public struct ProgressBar: PrimitiveView {
  /// The characters that the bar is drawn with.
  public enum Form: Hashable, Sendable {
    /// `━━━━━╾────`: unobtrusive.
    case line
    /// `██████░░░░`: readable from a distance.
    case block
  }

  private let value: Double
  private let role: ThemeRole
  private let form: Form

  /// - Parameters:
  ///   - value: The fraction, clamped to 0...1.
  ///   - role: The colour of the full part.
  ///   - form: The characters that the bar is drawn with.
  public init(value: Double, role: ThemeRole = .accent, form: Form = .line) {
    self.value = value.isFinite ? min(1, max(0, value)) : 0
    self.role = role
    self.form = form
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken {
      return Text("\(Int((value * 100).rounded())) %").build(in: tree)
    }
    tree.add(ProgressElement(value: value, role: role, form: form))
  }
}

struct ProgressElement: Element {
  let value: Double
  let role: ThemeRole
  let form: ProgressBar.Form

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    Size(columns: proposal.columns == Proposal.ideal ? 20 : proposal.columns, rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    var full = tree.theme[role]
    var empty = tree.theme[.track]
    full.background = tree.style(of: node).background
    empty.background = full.background
    if tree.theme.usesFillTextColor(on: full.background) {
      full.foreground = tree.style(of: node).foreground
      empty.foreground = full.foreground
    }
    if tree.style(of: node).attributes.contains(.reverse) {
      full.attributes.insert(.reverse)
      empty.attributes = .reverse
    }
    if form == .block {
      let count = Int((value * Double(rect.columns)).rounded())
      canvas.fill(rect, with: "░", style: empty)
      canvas.fill(
        Rect(origin: rect.origin, size: Size(columns: count, rows: 1)), with: "█", style: full)
      return
    }
    // Draw in half cells for twice the resolution.
    let halves = Int((value * Double(2 * rect.columns)).rounded())
    canvas.fill(rect, with: "─", style: empty)
    canvas.fill(
      Rect(origin: rect.origin, size: Size(columns: halves / 2, rows: 1)), with: "━", style: full)
    if halves % 2 == 1 {
      canvas.put("╾", at: rect.origin.offset(columns: halves / 2), style: full)
    }
  }
}

/// The characters that a border is drawn with.
public enum BorderStyle: Hashable, Sendable, CaseIterable {
  /// `╭─╮`: the default.
  case rounded
  /// `┌─┐`
  case square
  /// `╔═╗`
  case double
  /// `+-+`: the fallback for the others on ASCII-only terminals.
  case ascii

  /// The characters of a box.
  struct Lines {
    let horizontal, vertical: Unicode.Scalar
    let topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
    /// The characters where a divider meets the sides.
    let left, right: Unicode.Scalar
  }

  var lines: Lines {
    switch self {
    case .rounded:
      Lines(
        horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰",
        bottomRight: "╯", left: "├", right: "┤")
    case .square:
      Lines(
        horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└",
        bottomRight: "┘", left: "├", right: "┤")
    case .double:
      Lines(
        horizontal: "═", vertical: "║", topLeft: "╔", topRight: "╗", bottomLeft: "╚",
        bottomRight: "╝", left: "╟", right: "╢")
    case .ascii:
      Lines(
        horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+",
        bottomRight: "+", left: "+", right: "+")
    }
  }
}

/// The shape of an underline.
public enum UnderlineStyle: UInt8, Hashable, Sendable, CaseIterable {
  /// One line, which every terminal supports; the others fall back to it.
  case single = 1
  /// Two lines.
  case double
  /// A wave, as under a misspelt word.
  case curly
  /// Dots.
  case dotted
  /// Dashes.
  case dashed
}

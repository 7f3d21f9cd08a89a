/// A movement of the cursor through a text.
public enum TextMovement: Codable, Hashable, Sendable {
  /// By one character.
  case left, right
  /// To the start of the previous word, or the end of the next word.
  case wordLeft, wordRight
  /// To the start of the previous sequence without white space, such as an e-mail address.
  case blankLeft
  /// To the start or end of the line.
  case lineStart, lineEnd
  /// To the line above or below, in the same column.
  case up, down
  /// To the start or end of the whole text.
  case textStart, textEnd
}

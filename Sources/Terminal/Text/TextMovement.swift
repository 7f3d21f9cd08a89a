/// A way through a text, from the cursor to somewhere else.
public enum TextMovement: Codable, Hashable, Sendable {
  /// One character.
  case left, right
  /// To the start of the word before, to the end of the word after the cursor.
  case wordLeft, wordRight
  /// To the start of what has no blank in it, such as an e-mail address.
  case blankLeft
  /// To the start or end of the line.
  case lineStart, lineEnd
  /// To the line above or below, as far from its start.
  case up, down
  /// To the start or end of the whole text.
  case textStart, textEnd
}

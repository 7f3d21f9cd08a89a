/// What the cursor looks like (`DECSCUSR`).
public enum CursorShape: UInt8, Hashable, Sendable {
  /// As the person has set up the terminal.
  case standard = 0
  /// A steady block.
  case block = 2
  /// A steady line under the character.
  case underline = 4
  /// A steady line before the character, as in text that is edited.
  case bar = 6
}

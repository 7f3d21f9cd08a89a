/// The shape of the cursor (`DECSCUSR`).
public enum CursorShape: UInt8, Hashable, Sendable {
  /// The shape configured in the terminal.
  case standard = 0
  /// A steady block.
  case block = 2
  /// A steady line under the character.
  case underline = 4
  /// A steady bar before the character, for editing text.
  case bar = 6
}

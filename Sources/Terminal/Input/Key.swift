/// A key of the keyboard, apart from the modifiers held with it.
public enum Key: Hashable, Sendable {
  /// A key that types text. Shift is already part of the character: `C`, not shift and `c`.
  case character(Character)
  case enter, tab, escape, backspace
  case delete, insert
  case up, down, left, right
  case home, end, pageUp, pageDown
  /// F1 and above.
  case function(Int)
}

/// A key, without the modifiers held with it.
public enum Key: Hashable, Sendable {
  /// A key that types text. Shift is part of the character: `C`, not Shift and `c`.
  case character(Character)
  case enter, tab, escape, backspace
  case delete, insert
  case up, down, left, right
  case home, end, pageUp, pageDown
  /// F1 and above.
  case function(Int)
}

/// The meaning of a colour. Views name roles; the theme defines how a role looks.
public enum ThemeRole: Int, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// Secondary text: hints, units, labels.
  case dim
  /// Anything that can be acted on, and the current location.
  case accent
  /// Everything is well.
  case calm
  /// Something is due soon.
  case warning
  /// Something is overdue, or an alert is active.
  case danger
  /// The background of a view that must not be overlooked, and everything on it.
  case alarm
  /// Thin lines around panels.
  case border
  /// The lines around the panel that has the focus.
  case focusedBorder
  /// The selected row of the list that has the focus.
  case selection
  /// The selected row of any other list.
  case inactiveSelection
  /// The background of a text field.
  case field
  /// The empty part of bars and scrollbars.
  case track

  /// The minimum contrast for WCAG 2.2 level AA: 4.5 for text (1.4.3), 3 for lines and marks
  /// (1.4.11).
  var leastContrast: Double {
    switch self {
    case .border, .focusedBorder, .track: 3
    default: 4.5
    }
  }
}

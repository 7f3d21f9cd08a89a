/// What a colour means. Views name roles; the theme says how a role looks.
public enum ThemeRole: Int, CaseIterable, Sendable {
  /// Ordinary text.
  case text
  /// Text of second rank: hints, units, labels.
  case dim
  /// What can be acted on, and where one is.
  case accent
  /// All is well.
  case calm
  /// Something is due soon.
  case warning
  /// Something is overdue, or an alert is on.
  case danger
  /// The ground of a view that nobody may overlook; whatever stands on it has its ink.
  case alarm
  /// Thin lines around panels.
  case border
  /// The lines around the panel that has the focus.
  case focusedBorder
  /// The selected row of the list that has the focus.
  case selection
  /// The selected row of any other list.
  case inactiveSelection
  /// The ground of a text field.
  case field
  /// The empty part of bars and scrollbars.
  case track

  /// What WCAG 2.2 asks for as AA: 4.5 for text (1.4.3), 3 for lines and marks (1.4.11).
  var leastContrast: Double {
    switch self {
    case .border, .focusedBorder, .track: 3
    default: 4.5
    }
  }
}

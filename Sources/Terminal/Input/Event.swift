/// An action of the user or a change of the terminal.
public enum Event: Equatable, Sendable {
  /// A key was pressed, or repeated while held.
  case key(KeyPress)
  /// Text was pasted. It arrives as a single event, so it can never act as key presses. Control
  /// characters other than line feed and tab are removed; line ends are line feeds.
  case paste(String)
  /// The mouse was pressed, released or moved, or its wheel was turned.
  case mouse(MouseEvent)
  /// The terminal's window gained (`true`) or lost (`false`) the keyboard focus.
  case focus(Bool)
  /// The terminal has a new size.
  case resize(Size)
  /// The program continues after being suspended; the screen has been set up again.
  case resumed
  /// The terminal has disappeared: no further events follow and nothing can be shown.
  case closed
}

/// Something that the person or the terminal did.
public enum Event: Equatable, Sendable {
  /// A key was pressed, or repeats while it is held.
  case key(KeyPress)
  /// Text was pasted. It arrives as one event, so that it can never act as keys do. Control
  /// characters other than line feed and tab are removed; line ends are line feeds.
  case paste(String)
  /// The mouse was pressed, released, moved or its wheel was turned.
  case mouse(MouseEvent)
  /// The terminal's window gained (`true`) or lost (`false`) the keyboard focus.
  case focus(Bool)
  /// The terminal has a new size.
  case resize(Size)
  /// The program comes back after it was suspended; the screen has been set up again.
  case resumed
  /// The terminal is gone: no more events follow and nothing can be shown.
  case closed
}

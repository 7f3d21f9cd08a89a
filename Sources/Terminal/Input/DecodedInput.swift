/// The result of decoding the terminal's bytes.
package enum DecodedInput: Equatable, Sendable {
  /// An event for the program's views.
  case event(Event)
  /// The terminal's answer to a query.
  case answer(TerminalAnswer)
}

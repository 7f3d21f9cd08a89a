/// What the decoder makes of the terminal's bytes.
package enum DecodedInput: Equatable, Sendable {
  /// Something for the program's views.
  case event(Event)
  /// The terminal's answer to a question of ours.
  case answer(TerminalAnswer)
}

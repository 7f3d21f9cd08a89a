/// What a command has to say, apart from where it is written.
struct Report: Equatable, Sendable {
  /// For standard output. Each is cleaned before it is written, since a name may hold anything.
  var lines: [String]
  /// For standard error: what went well but deserves a word. Cleaned like ``lines``.
  var warnings: [String]
  var exitCode: ExitCode
  /// Written as it is after ``lines``: text that cannot act on a terminal, as our JSON, or that is
  /// meant to, as a picture with colours. Ends without a line break.
  var verbatim: String?

  init(
    _ lines: [String] = [], warnings: [String] = [], exitCode: ExitCode = .ok,
    verbatim: String? = nil
  ) {
    self.lines = lines
    self.warnings = warnings
    self.exitCode = exitCode
    self.verbatim = verbatim
  }
}

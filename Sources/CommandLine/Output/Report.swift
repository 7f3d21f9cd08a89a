/// A command's output, independent of where it is written.
struct Report: Equatable, Sendable {
  /// Lines for standard output. Each is sanitized before it is written, because a name can contain
  /// anything.
  var lines: [String]
  /// Warnings for standard error, after a command that succeeded or failed. Sanitized like
  /// ``lines``.
  var warnings: [String]
  var exitCode: ExitCode
  /// Text written unchanged after ``lines``: either harmless to a terminal, such as our JSON, or
  /// meant to affect it, such as a coloured picture. Has no line break at its end.
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

/// What the program tells the shell.
struct ExitCode: Hashable, Sendable {
  let rawValue: Int32
  init(_ rawValue: Int32) { self.rawValue = rawValue }

  static let ok = ExitCode(0)
  /// Something went wrong; a sentence on stderr says what.
  static let error = ExitCode(1)
  /// The command line cannot be understood.
  static let usage = ExitCode(2)
  /// `status`: the deadline is near.
  static let dueSoon = ExitCode(10)
  /// `status`: the deadline has passed.
  static let overdue = ExitCode(20)
  /// `status`: an alert is on.
  static let alert = ExitCode(30)
}

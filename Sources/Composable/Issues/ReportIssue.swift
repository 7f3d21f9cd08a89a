@preconcurrency import Glibc

/// Reports a programming error. In a test it fails the test at the given line, in a debug build it
/// is printed to standard error, and in a release build it is ignored.
///
/// - Parameters:
///   - message: What happened, why that is a mistake, and what to do.
///   - fileID: The module and file of the mistake.
///   - filePath: The path of the file.
///   - line: The line of the mistake.
///   - column: The column of the mistake.
public func reportIssue(
  _ message: @autoclosure () -> String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  reportIssue(
    message(),
    at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Reports a programming error at a location recorded earlier.
///
/// - Parameters:
///   - message: What happened, why that is a mistake, and what to do.
///   - location: Where the mistake was made.
public func reportIssue(_ message: @autoclosure () -> String, at location: IssueLocation) {
  guard !IgnoredIssues.areIgnored else { return }
  if let reporter = installedReporter {
    reporter.report(message(), at: location)
    return
  }
  #if DEBUG
    fputs("\(location): issue: \(message())\n", stderr)
  #endif
}

/// The reporter of the testing module, if it is linked into this process.
let installedReporter: (any IssueReporter)? = {
  // The mangled name of `ComposableTesting.SwiftTestingReporter`, a struct.
  let type = _typeByName("17ComposableTesting20SwiftTestingReporterV") as? any IssueReporter.Type
  return type?.init()
}()

/// Suppresses issues in code that does on purpose what would be a mistake elsewhere.
enum IgnoredIssues {
  @TaskLocal static var areIgnored = false

  static func ignore<Result>(_ work: () throws -> Result) rethrows -> Result {
    try $areIgnored.withValue(true, operation: work)
  }
}

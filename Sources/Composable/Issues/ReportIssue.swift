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

/// The destination of reported issues, which also knows the running test.
///
/// The core doesn't link a testing library. It looks up the reporter in `ComposableTesting` once,
/// by name. In a program without that module, a debug build prints issues instead.
public protocol IssueReporter: Sendable {
  /// Creates the reporter. Called once per process.
  init()

  /// Reports one issue. Can be called on any thread, any number of times.
  func report(_ message: String, at location: IssueLocation)

  /// An identifier of the test that is running here; `nil` outside tests.
  var currentTest: String? { get }
}

/// A place in the source, as passed by the caller of a reporting function.
public struct IssueLocation: Hashable, Sendable, CustomStringConvertible {
  /// The module and file: `Module/File.swift`.
  public var fileID: String
  /// The full path of the file.
  public var filePath: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int

  /// Creates a location. Pass the defaults on from `#fileID`, `#filePath`, `#line` and `#column`.
  public init(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The file and line: `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

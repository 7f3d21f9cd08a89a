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

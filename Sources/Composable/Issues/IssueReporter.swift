/// Where a reported issue goes, and which test runs.
///
/// The core links no testing library. It looks once, by name, for the reporter that
/// `ComposableTesting` brings; a program without that module prints its issues instead.
public protocol IssueReporter: Sendable {
  /// Makes the reporter. Called once per process.
  init()

  /// Takes one issue. May be called on any thread, any number of times.
  func report(_ message: String, at location: IssueLocation)

  /// What tells the test that runs here from all others; `nil` outside of tests.
  var currentTest: String? { get }
}

/// A place in the source, as the caller of a reporting function sees it.
public struct IssueLocation: Hashable, Sendable, CustomStringConvertible {
  /// Module and file: `Module/File.swift`.
  public var fileID: String
  /// The full path of the file.
  public var filePath: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int

  /// Makes a location; meant to be fed from `#fileID`, `#filePath`, `#line` and `#column`.
  public init(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// `Module/File.swift:12`
  public var description: String { "\(fileID):\(line)" }
}

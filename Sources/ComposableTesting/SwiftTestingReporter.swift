public import Composable

#if canImport(Testing)
  import Testing
#endif

/// Makes a reported issue fail the current test, at the line that caused it.
///
/// `Composable` looks this type up by name.
public struct SwiftTestingReporter: IssueReporter {
  /// Creates the reporter.
  public init() {}

  /// Records an issue in the current test.
  public func report(_ message: String, at location: IssueLocation) {
    #if canImport(Testing)
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: location.fileID, filePath: location.filePath, line: location.line,
          column: location.column))
    #endif
  }

  /// The running test, with the arguments of its test case.
  public var currentTest: String? {
    #if canImport(Testing)
      Test.current.map { test in
        // A test case has no public identity, but its description includes its arguments.
        "\(test.id) \(Test.Case.current.map(String.init(describing:)) ?? "")"
      }
    #else
      nil
    #endif
  }
}

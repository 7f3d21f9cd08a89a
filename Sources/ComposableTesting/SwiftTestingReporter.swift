public import Composable

#if canImport(Testing)
  import Testing
#endif

/// Makes reported issues fail the current test, at the line that is to blame.
///
/// `Composable` finds it by its name.
public struct SwiftTestingReporter: IssueReporter {
  /// Makes the reporter.
  public init() {}

  /// Records an issue of the current test.
  public func report(_ message: String, at location: IssueLocation) {
    #if canImport(Testing)
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: location.fileID, filePath: location.filePath, line: location.line,
          column: location.column))
    #endif
  }

  /// The test that runs here, with the arguments of its case.
  public var currentTest: String? {
    #if canImport(Testing)
      Test.current.map { test in
        // A case has no public identity, but it shows its arguments when it is described.
        "\(test.id) \(Test.Case.current.map(String.init(describing:)) ?? "")"
      }
    #else
      nil
    #endif
  }
}

import Composable

#if canImport(Testing)
  import Testing
#endif

/// Records a warning in the current test, without failing it.
func note(_ message: String, at location: IssueLocation) {
  #if canImport(Testing)
    Issue.record(
      Comment(rawValue: message), severity: .warning,
      sourceLocation: SourceLocation(
        fileID: location.fileID, filePath: location.filePath, line: location.line,
        column: location.column))
  #endif
}

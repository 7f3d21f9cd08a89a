/// A function of any shape that may not be called: it reports an issue with its name and returns a
/// placeholder. It also stands in for functions that are async or throw.
///
/// - Parameters:
///   - name: What is missing: `"CheckInClient.lastCheckIn"`.
///   - placeholder: What it returns.
///   - fileID: The module and file to which the issue points.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
public func unimplemented<each Argument, Result>(
  _ name: String, placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) -> Result {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (_: repeat each Argument) in
    reportUnimplemented(name, at: location)
    return placeholder()
  }
}

/// A function without a result that may not be called: it reports an issue with its name.
///
/// - Parameters:
///   - name: What is missing: `"CheckInClient.forget"`.
///   - fileID: The module and file to which the issue points.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
public func unimplemented<each Argument>(
  _ name: String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    name, placeholder: (), fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A throwing function that may not be called: it reports an issue with its name and throws.
///
/// - Parameters:
///   - name: What is missing: `"CheckInClient.checkIn"`.
///   - error: What it throws.
///   - fileID: The module and file to which the issue points.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
public func unimplemented<each Argument, Result, Failure: Error>(
  _ name: String, throwing error: Failure,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) async throws(Failure) -> Result {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return { (_: repeat each Argument) async throws(Failure) -> Result in
    reportUnimplemented(name, at: location)
    throw error
  }
}

/// Reports that something was used that a test has to override.
func reportUnimplemented(_ name: String, at location: IssueLocation = IssueLocation()) {
  reportIssue(
    """
    "\(name)" was called, but it is not implemented.

    A test has to override it by `withDependencies`; a program has to provide it in its \
    composition root.
    """,
    at: location)
}

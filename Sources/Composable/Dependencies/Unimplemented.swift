/// Returns a function of any shape that must not be called: it reports an issue with its name and
/// returns a placeholder. It can also stand in for an async or throwing function.
///
/// - Parameters:
///   - name: The name of the missing function: `"CheckInClient.lastCheckIn"`.
///   - placeholder: The value that the function returns.
///   - fileID: The module and file that the issue points to.
///   - filePath: The path of the file.
///   - line: The line that the issue points to.
///   - column: The column that the issue points to.
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

/// Returns a function without a result that must not be called: it reports an issue with its name.
///
/// - Parameters:
///   - name: The name of the missing function: `"CheckInClient.forget"`.
///   - fileID: The module and file that the issue points to.
///   - filePath: The path of the file.
///   - line: The line that the issue points to.
///   - column: The column that the issue points to.
public func unimplemented<each Argument>(
  _ name: String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    name, placeholder: (), fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Returns a throwing function that must not be called: it reports an issue with its name and
/// throws.
///
/// - Parameters:
///   - name: The name of the missing function: `"CheckInClient.checkIn"`.
///   - error: The error that the function throws.
///   - fileID: The module and file that the issue points to.
///   - filePath: The path of the file.
///   - line: The line that the issue points to.
///   - column: The column that the issue points to.
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

/// Reports the use of a dependency that a test must override.
package func reportUnimplemented(_ name: String, at location: IssueLocation = IssueLocation()) {
  reportIssue(
    """
    "\(name)" was called, but it is not implemented.

    A test must override it with `withDependencies`; a program must provide it in its \
    composition root.
    """,
    at: location)
}

/// Runs an operation in which some dependencies have other values.
///
/// - Parameters:
///   - change: Sets the values.
///   - operation: What runs with them, including the effects it makes and its child tasks.
@discardableResult
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try DependencyValues.with(values, operation)
}

/// Runs an asynchronous operation in which some dependencies have other values.
///
/// - Parameters:
///   - isolation: The caller's actor.
///   - change: Sets the values.
///   - operation: What runs with them, including the effects it makes and its child tasks.
@discardableResult
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try await DependencyValues.with(values, isolation: isolation, operation)
}

/// Sets the values that are in force wherever no others are. For a program's composition root,
/// before anything is read.
public func prepareDependencies(_ change: (inout DependencyValues) -> Void) {
  DependencyValues.prepare(change)
}

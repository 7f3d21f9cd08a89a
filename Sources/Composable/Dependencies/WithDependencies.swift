/// Runs an operation with some dependencies overridden.
///
/// - Parameters:
///   - change: Sets the overrides.
///   - operation: The operation. The overrides also apply to the effects and child tasks that it
///     makes.
@discardableResult
public func withDependencies<Result>(
  _ change: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try DependencyValues.with(values, operation)
}

/// Runs an asynchronous operation with some dependencies overridden.
///
/// - Parameters:
///   - isolation: The caller's actor.
///   - change: Sets the overrides.
///   - operation: The operation. The overrides also apply to the effects and child tasks that it
///     makes.
@discardableResult
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ change: (inout DependencyValues) throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues.current
  try change(&values)
  return try await DependencyValues.with(values, isolation: isolation, operation)
}

/// Sets the dependencies that apply wherever no others are set. Call it in a program's composition
/// root, before any dependency is read.
public func prepareDependencies(_ change: (inout DependencyValues) -> Void) {
  DependencyValues.prepare(change)
}

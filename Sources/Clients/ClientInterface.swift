public import Composable
public import Domain

/// A part of the outside world that features can use, as a struct of closures. Each closure reports
/// that it is not implemented until a platform or a test provides it.
public protocol ClientInterface: TestDependencyKey, Sendable where Value == Self {
  init()
}

extension ClientInterface {
  public static var testValue: Self { Self() }

  /// Creates a client whose closures a platform provides:
  ///
  ///     PingClient {
  ///       $0.send = { contact async throws(ClientError) in try await store.sendPing(contact) }
  ///       $0.withdraw = { id async throws(ClientError) in try await store.withdrawPing(id) }
  ///     }
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}

extension DependencyValues {
  /// Creates the dependencies with the clients that a platform provides.
  package init<Failure: Error>(
    _ fill: (inout DependencyValues) throws(Failure) -> Void
  ) throws(Failure) {
    self.init()
    try fill(&self)
  }
}

/// The error of a client's operation.
public protocol ClientFailure: AppError {
  /// Returns the error of an operation that nothing provides.
  static func unimplemented(_ name: String) -> Self
}

/// Returns an operation that is not provided: it reports an issue with its name, and fails.
public func unimplemented<each Argument, Value, Failure: ClientFailure>(
  _ name: String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) async throws(Failure) -> Value {
  unimplemented(
    name, throwing: .unimplemented(name), fileID: fileID, filePath: filePath, line: line,
    column: column)
}

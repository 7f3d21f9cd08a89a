public import Composable
public import Domain

/// What features may ask of a part of the world: a struct of closures. Each of them reports that it is
/// not implemented until a platform, or a test, provides it.
public protocol ClientInterface: TestDependencyKey, Sendable where Value == Self {
  init()
}

extension ClientInterface {
  public static var testValue: Self { Self() }

  /// A client that is filled by a platform:
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
  /// The clients that a platform fills.
  package init<Failure: Error>(
    _ fill: (inout DependencyValues) throws(Failure) -> Void
  ) throws(Failure) {
    self.init()
    try fill(&self)
  }
}

/// Why a client could not do what it was asked.
public protocol ClientFailure: AppError {
  /// Nothing provides the operation of this name.
  static func unimplemented(_ name: String) -> Self
}

/// An operation that is not provided: it reports an issue with its name, and fails.
public func unimplemented<each Argument, Value, Failure: ClientFailure>(
  _ name: String,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) -> @Sendable (repeat each Argument) async throws(Failure) -> Value {
  unimplemented(
    name, throwing: .unimplemented(name), fileID: fileID, filePath: filePath, line: line,
    column: column)
}

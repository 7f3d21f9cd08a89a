import Composable
public import Domain

/// An operation that a table of operations can name, by its client and its own name.
package protocol NamedEndpoint: Sendable {
  var name: String { get }
  /// The operations whose gate it passes; empty if it passes none (CHK-3).
  var gates: [GatedOperation] { get }
  /// The secrets that may be typed for a call, in the order of a request's body.
  var secrets: [TypedSecrets.Field] { get }
}

extension NamedEndpoint {
  package var gates: [GatedOperation] { [] }
  package var secrets: [TypedSecrets.Field] { [] }
}

/// An operation of a client. Until a platform or a test provides it, it reports an issue with its
/// name and fails. What it throws is logged if
/// ``Composable/DependencyValues/logClientCalls(isTracing:)`` was called.
///
/// ```swift
/// @Endpoint("PingClient.send")
/// public var send: @Sendable (Contact.ID) async throws(ClientError) -> Ping
/// ```
///
/// One that is behind the gate says for what it needs the passphrase. If the platform refuses a call
/// because the passphrase is missing or wrong, the person is asked for it by the
/// ``SecretPromptClient``, and the same call is made again (CHK-3):
///
/// ```swift
/// @Endpoint("PingClient.answer", gate: .answerPings)
/// public var answer: @Sendable (Ping.ID) async throws(ClientError) -> User
/// ```
@propertyWrapper
public struct Endpoint<each Argument, Value, Failure: ClientFailure>: NamedEndpoint {
  /// The client and the operation: `PingClient.send`.
  package let name: String
  package let gates: [GatedOperation]
  private let asksPassword: Bool
  private var operation: @Sendable (repeat each Argument) async throws(Failure) -> Value

  /// Creates an operation that is not provided.
  /// - Parameters:
  ///   - name: The client and the operation: `PingClient.send`.
  ///   - gates: The operation for which it needs the passphrase. If there are several, an argument
  ///     of each call says which one.
  ///   - asksPassword: Whether the person is also asked for the password if it is missing or wrong
  ///     (AUTH-5).
  public init(
    _ name: String, gate gates: GatedOperation..., asksPassword: Bool = false,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.name = name
    self.gates = gates
    self.asksPassword = asksPassword
    operation = unimplemented(
      name, throwing: .unimplemented(name), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The endpoint itself, by which a table of operations refers to it: `\.pingClient.$send`.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The operation. A platform or a test provides it by setting it.
  public var wrappedValue: @Sendable (repeat each Argument) async throws(Failure) -> Value {
    get {
      { [self] (argument: repeat each Argument) async throws(Failure) -> Value in
        // A call within a gated one has what was typed for that, and asks for nothing itself.
        guard let gate = gate(for: repeat each argument), TypedSecrets.current == nil else {
          return try await perform(repeat each argument).get()
        }
        var call = GatedCall(gate, asksPassword: asksPassword)
        return try await call.run { await perform(repeat each argument) }.get()
      }
    }
    set { operation = newValue }
  }

  /// Calls the operation with secrets that the person has typed before, such as in a form. They are
  /// not asked for others.
  public nonisolated(nonsending) func callAsFunction(
    _ argument: repeat each Argument, typing passphrase: Secret<String>?,
    password: Secret<String>? = nil
  ) async throws(Failure) -> Value {
    guard let gate = gate(for: repeat each argument) else {
      return try await perform(repeat each argument).get()
    }
    let typed = TypedSecrets(for: gate, passphrase: passphrase, password: password)
    return try await typed.during { await perform(repeat each argument) }.get()
  }

  package var secrets: [TypedSecrets.Field] {
    gates.isEmpty ? [] : asksPassword ? [\.password, \.passphrase] : [\.passphrase]
  }

  /// Returns the operation for which a call needs the passphrase; `nil` if it needs none.
  package func gate(for argument: repeat each Argument) -> GatedOperation? {
    guard gates.count > 1 else { return gates.first }
    for argument in repeat each argument {
      if let operation = argument as? GatedOperation { return operation }
    }
    return nil
  }

  private nonisolated(nonsending) func perform(
    _ argument: repeat each Argument
  ) async -> Result<Value, Failure> {
    let call = EndpointCall(name)
    let result = await call.run { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await operation(repeat each argument))
      } catch { return .failure(error) }
    }
    switch result {
    case .success: await call.noteSuccess()
    case .failure(let error): await call.note(error)
    }
    return result
  }
}

/// An operation of a client that emits a value now and after every change. An error that ends the
/// stream is logged like one that an ``Endpoint`` throws.
@propertyWrapper
public struct StreamEndpoint<each Argument, Value: Sendable>: NamedEndpoint {
  /// The stream that the operation returns.
  public typealias Stream = AsyncThrowingStream<Value, any Error>

  /// The client and the operation: `WatchClient.observe`.
  package let name: String
  private var operation: @Sendable (repeat each Argument) -> Stream

  /// Creates an operation that is not provided.
  /// - Parameter name: The client and the operation: `PingClient.send`.
  public init(
    _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.name = name
    operation = unimplemented(
      name, placeholder: Stream { $0.finish() }, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The endpoint itself, by which a table of operations refers to it: `\.pingClient.$send`.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The operation. A platform or a test provides it by setting it.
  public var wrappedValue: @Sendable (repeat each Argument) -> Stream {
    get {
      { [name, operation] (argument: repeat each Argument) -> Stream in
        let call = EndpointCall(name)
        // Safe: a stream has one consumer, which asks for one element at a time.
        nonisolated(unsafe) var iterator =
          call.run { operation(repeat each argument) }.makeAsyncIterator()
        return Stream {
          do {
            guard let value = try await iterator.next() else {
              await call.noteSuccess()
              return nil
            }
            return value
          } catch {
            await call.note(error)
            throw error
          }
        }
      }
    }
    set { operation = newValue }
  }
}

/// An event of a running transfer.
public protocol TransferEvent: Sendable {
  /// The error that has ended the transfer, or `nil`.
  var failure: (any AppError)? { get }
}

/// An operation of a client that transfers a file and reports its progress. A failure is logged
/// like one that an ``Endpoint`` throws.
@propertyWrapper
public struct TransferEndpoint<each Argument, Event: TransferEvent>: NamedEndpoint {
  /// The client and the operation: `FileStorageClient.upload`.
  package let name: String
  private var operation: @Sendable (repeat each Argument) -> AsyncStream<Event>

  /// Creates an operation that is not provided.
  /// - Parameter name: The client and the operation: `PingClient.send`.
  public init(
    _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.name = name
    operation = unimplemented(
      name, placeholder: AsyncStream { $0.finish() }, fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  /// The endpoint itself, by which a table of operations refers to it: `\.pingClient.$send`.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The operation. A platform or a test provides it by setting it.
  public var wrappedValue: @Sendable (repeat each Argument) -> AsyncStream<Event> {
    get {
      { [name, operation] (argument: repeat each Argument) -> AsyncStream<Event> in
        let call = EndpointCall(name)
        // Safe: a stream has one consumer, which asks for one element at a time.
        nonisolated(unsafe) var iterator =
          call.run { operation(repeat each argument) }.makeAsyncIterator()
        return AsyncStream {
          guard let event = await iterator.next() else {
            await call.noteSuccess()
            return nil
          }
          if let failure = event.failure { await call.note(failure) }
          return event
        }
      }
    }
    set { operation = newValue }
  }
}

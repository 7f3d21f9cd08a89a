import Composable
public import Domain

/// An operation that a table of operations can name, by its client and its own name.
package protocol NamedEndpoint: Sendable {
  var name: String { get }
}

/// An operation of a client. Until a platform or a test provides it, it reports an issue with its
/// name and fails. What it throws is logged if
/// ``Composable/DependencyValues/logClientCalls(isTracing:)`` was called.
///
/// ```swift
/// @Endpoint("PingClient.send")
/// public var send: @Sendable (Contact.ID) async throws(ClientError) -> Ping
/// ```
@propertyWrapper
public struct Endpoint<each Argument, Value, Failure: ClientFailure>: NamedEndpoint {
  /// The client and the operation: `PingClient.send`.
  package let name: String
  private var operation: @Sendable (repeat each Argument) async throws(Failure) -> Value

  /// Creates an operation that is not provided.
  /// - Parameter name: The client and the operation: `PingClient.send`.
  public init(
    _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.name = name
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
      { [name, operation] (argument: repeat each Argument) async throws(Failure) -> Value in
        let call = EndpointCall(name)
        do throws(Failure) {
          let value = try await call.run { () async -> Result<Value, Failure> in
            do throws(Failure) {
              return .success(try await operation(repeat each argument))
            } catch { return .failure(error) }
          }.get()
          await call.noteSuccess()
          return value
        } catch {
          await call.note(error)
          throw error
        }
      }
    }
    set { operation = newValue }
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

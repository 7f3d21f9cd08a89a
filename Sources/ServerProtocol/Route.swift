public import Clients
public import Composable
import Domain
package import FoundationEssentials

/// An operation of a client as a server offers it, defined once for the server, the app, the
/// documentation and the tests.
///
/// A server answers with the operation that its own clients have under the same key path; an app's
/// clients are connected to a ``ServerTransport``.
public struct Route: Sendable {
  public typealias Method = HTTPRequest.Method

  /// Who can use a route.
  public enum Access: Sendable {
    case anyone
    case signedIn
    /// Anyone; the answer signs them in.
    case signsIn
    /// The signed-in person, who is signed out afterwards.
    case signsOut

    /// Whether a session is needed.
    public var needsSession: Bool { self == .signedIn || self == .signsOut }
  }

  /// A request whose arguments can't be read.
  public struct Malformed: Error, Equatable {
    /// The reason, which doesn't quote what was sent.
    public let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  public let method: Method
  public let path: RoutePath
  /// The names of the operation's arguments, in order, and of the secrets that may be typed for it.
  /// `*` is the whole body.
  public let arguments: [String]
  public let access: Access
  /// Whether it returns the present state of something that is observed, and is requested again
  /// after every change.
  public let isObserved: Bool
  /// The client and the operation, such as `PingClient.send`.
  public let name: String
  /// The name of the client alone.
  package let client: String

  /// Whether it calls for help, which no limit must hold up.
  package var isCallForHelp: Bool { ["AlertClient.raise", "AlertClient.arm"].contains(name) }

  /// Whether it answers apps that are too old for everything else.
  package var isForEveryApp: Bool {
    isCallForHelp || isCheckIn || name == "AlertClient.disarm"
  }

  /// The name of the header with the app's version.
  package static let appHeader = "LifeSignal-App"

  /// Whether it takes check-ins that a device has kept, with a sealed passphrase.
  package var keepsCheckIns: Bool {
    ["CheckInClient.deliver", "CheckInClient.endOuting"].contains(name)
  }

  /// Whether it checks in.
  package var isCheckIn: Bool {
    ["CheckInClient.checkIn", "CheckInClient.deliver", "CheckInClient.endOuting"].contains(name)
  }

  /// The types of the arguments and of the answer; `nil` for none.
  package let types:
    (arguments: [any (Codable & Sendable).Type], answer: (any (Codable & Sendable).Type)?)

  /// Returns the answer for a value of its type; `nil` for any other value.
  package func answer(of value: Any) -> Data? {
    guard let type = types.answer, Swift.type(of: value) == type,
      let value = value as? any Encodable
    else { return nil }
    return try? WireCoding.encode(value)
  }

  private let respond:
    @Sendable (ServerRequest, [String: String], DependencyValues) async throws -> Data?
  private let install: @Sendable (Route, any ServerTransport, inout DependencyValues) -> Void

  /// Answers a request with the operation of a client in these values.
  /// - Parameter texts: The arguments in its path.
  /// - Returns: The answer's body; `nil` for none.
  /// - Throws: ``Malformed``, or what the operation throws.
  package func answer(
    _ request: ServerRequest, _ texts: [String: String], by values: DependencyValues
  ) async throws -> Data? {
    try await respond(request, texts.merging(request.query) { path, _ in path }, values)
  }

  /// Makes the client's operation send requests to a server.
  public func connect(to transport: any ServerTransport, in values: inout DependencyValues) {
    install(self, transport, &values)
  }

  // MARK: Kinds of operations

  init<each Argument: Codable & Sendable, Value: Codable & Sendable, Failure: ServerFailure>(
    _ method: Method, _ path: String,
    _ operation: any WritableKeyPath<
      DependencyValues, Endpoint<repeat each Argument, Value, Failure>
    > & Sendable,
    _ arguments: String..., access: Access = .signedIn
  ) {
    self.init(method, path, operation, arguments, access, answer: Value.self) {
      (operation: Endpoint<repeat each Argument, Value, Failure>, argument: repeat each Argument)
        async throws -> Data? in
      try WireCoding.encode(try await operation.wrappedValue(repeat each argument))
    } connect: { operation, route, transport in
      operation.wrappedValue = {
        [operation] (argument: repeat each Argument) async throws(Failure) -> Value in
        var writer = ArgumentWriter(arguments, repeat each argument)
        for secret in TypedSecrets.values(for: operation) { writer.append(secret) }
        do throws(ClientError) {
          return try await transport.ask(route, writer, for: Value.self)
        } catch { throw Failure(error) }
      }
    }
  }

  init<each Argument: Codable & Sendable, Failure: ServerFailure>(
    _ method: Method, _ path: String,
    _ operation: any WritableKeyPath<
      DependencyValues, Endpoint<repeat each Argument, Void, Failure>
    > & Sendable,
    _ arguments: String..., access: Access = .signedIn
  ) {
    self.init(method, path, operation, arguments, access, answer: nil) {
      (operation: Endpoint<repeat each Argument, Void, Failure>, argument: repeat each Argument)
        async throws -> Data? in
      try await operation.wrappedValue(repeat each argument)
      return nil
    } connect: { operation, route, transport in
      operation.wrappedValue = {
        [operation] (argument: repeat each Argument) async throws(Failure) -> Void in
        var writer = ArgumentWriter(arguments, repeat each argument)
        for secret in TypedSecrets.values(for: operation) { writer.append(secret) }
        do throws(ClientError) {
          _ = try await transport.ask(route, writer, for: Nothing.self)
        } catch { throw Failure(error) }
      }
    }
  }

  init<each Argument: Codable & Sendable, Value: Codable & Sendable>(
    observing path: String,
    _ operation: any WritableKeyPath<DependencyValues, StreamEndpoint<repeat each Argument, Value>>
      & Sendable,
    _ arguments: String..., access: Access = .signedIn
  ) {
    self.init(
      .get, path, operation, arguments, access, isObserved: true, answer: Value.self
    ) {
      (operation: StreamEndpoint<repeat each Argument, Value>, argument: repeat each Argument)
        async throws -> Data? in
      var iterator = operation.wrappedValue(repeat each argument).makeAsyncIterator()
      guard let value = try await iterator.next() else {
        throw ClientError.storage(.unknown("it has ended"))
      }
      return try WireCoding.encode(value)
    } connect: { operation, route, transport in
      operation.wrappedValue = { (argument: repeat each Argument) in
        transport.observe(route, ArgumentWriter(arguments, repeat each argument), for: Value.self)
      }
    }
  }

  /// Creates a route that uploads a file.
  init<each Argument: Codable & Sendable>(
    uploading path: String,
    _ operation: any WritableKeyPath<
      DependencyValues, TransferEndpoint<repeat each Argument, UploadEvent>
    >
      & Sendable,
    _ arguments: String...
  ) {
    self.init(.post, path, operation, arguments, .signedIn, answer: EmergencyDocument.self) {
      (
        operation: TransferEndpoint<repeat each Argument, UploadEvent>,
        argument: repeat each Argument
      ) async throws -> Data? in
      for await event in operation.wrappedValue(repeat each argument) {
        switch event {
        case .progress: break
        case .completed(let document): return try WireCoding.encode(document)
        case .failed(let error): throw error
        }
      }
      throw CancellationError()
    } connect: { operation, route, transport in
      operation.wrappedValue = { (argument: repeat each Argument) in
        transport.upload(route, ArgumentWriter(arguments, repeat each argument))
      }
    }
  }

  private init<each Argument: Codable & Sendable, Operation: NamedEndpoint>(
    _ method: Method, _ path: String,
    _ operation: any WritableKeyPath<DependencyValues, Operation> & Sendable,
    _ arguments: [String], _ access: Access, isObserved: Bool = false,
    answer: (any (Codable & Sendable).Type)?,
    perform: @escaping @Sendable (Operation, repeat each Argument) async throws -> Data?,
    connect: @escaping @Sendable (inout Operation, Route, any ServerTransport) -> Void
  ) {
    self.method = method
    self.path = RoutePath(path)
    self.arguments = arguments
    self.access = access
    self.isObserved = isObserved
    var values = DependencyValues()
    values.context = .test
    let endpoint = values[keyPath: operation]
    name = endpoint.name
    client = String(name.prefix { $0 != "." })
    var types: [any (Codable & Sendable).Type] = []
    repeat types.append((each Argument).self)
    types += endpoint.secrets.map { _ in Secret<String>?.self }
    self.types = (types, answer)
    respond = { request, texts, values in
      var reader = try ArgumentReader(
        arguments, texts: texts, body: request.body, opener: request.opener)
      let read = (repeat try reader.next((each Argument).self))
      let endpoint = values[keyPath: operation]
      // What was typed opens the gate of this route's operation, and of no other.
      let typed = try TypedSecrets(for: endpoint) { try reader.next(Secret<String>?.self) }
      guard let typed else { return try await perform(endpoint, repeat each read) }
      return try await typed.during { try await perform(endpoint, repeat each read) }
    }
    install = { route, transport, values in
      connect(&values[keyPath: operation], route, transport)
    }
  }
}

/// The answer of an operation without a result.
struct Nothing: Codable, Sendable {}

extension HTTPRequest.Method {
  /// Whether a request changes something, and has a key by which its repetition is recognised.
  public var isWrite: Bool { self != .get }
}

extension Route {
  /// Returns a request's path without its arguments, which are somebody's, such as a code.
  package static func template(of path: Substring, _ method: Method) -> String {
    let parts = path.split(separator: "/").map(String.init)
    return find(method, parts)?.route.path.description ?? "/"
      + parts.prefix(2).joined(separator: "/")
  }
}

public import Clients
public import Domain
public import FoundationEssentials

/// A request to a server.
public struct ServerRequest: Sendable {
  public var method: Route.Method
  /// The path, which begins with a slash, without the query.
  public var path: String
  public var query: [String: String]
  public var body: Data
  /// The tag of a known answer to the same request, which needn't be sent again.
  public var ifNoneMatch: String?
  /// The key by which the repetition of a write is recognised; `nil` for reads.
  public var idempotencyKey: UUID?
  /// Whether nothing may come before it: a call for help, or a check-in.
  public var comesFirst = false
  /// Reads secrets in the body that were sealed; `nil` if none may be.
  package var opener: SecretOpener?
  /// The name under which a device keeps the answer, to show it while the server is away; `nil` if
  /// it isn't kept.
  public var page: String?

  public init(
    _ method: Route.Method, _ path: String, query: [String: String] = [:], body: Data = Data(),
    ifNoneMatch: String? = nil, idempotencyKey: UUID? = nil, page: String? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.ifNoneMatch = ifNoneMatch
    self.idempotencyKey = idempotencyKey
    self.page = page
  }

  /// The path with its query, as in a request line.
  public var target: String {
    guard !query.isEmpty else { return path }
    return path + "?"
      + query.sorted { $0.key < $1.key }
      .map { PercentCoding.encode($0.key) + "=" + PercentCoding.encode($0.value) }
      .joined(separator: "&")
  }
}

/// An answer of a server.
public struct ServerAnswer: Sendable {
  public var status: Int
  public var etag: String?
  public var body: Data

  public init(status: Int, etag: String? = nil, body: Data = Data()) {
    self.status = status
    self.etag = etag
    self.body = body
  }
}

/// A connection to a server. It knows the server's address, keeps the session's token, and sends it
/// with every request.
public protocol ServerTransport: Sendable {
  func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer
  /// Keeps the token of a session that has begun; with `nil` forgets it, because the session has
  /// ended.
  func keep(_ token: Secret<String>?) async throws(StorageError)
  /// Returns a stream with an element whenever something may have changed: after every change of
  /// the account, and when the server can be reached again.
  func changes() -> AsyncStream<Void>
  /// Whether ``kept(_:)`` stands in for an answer that doesn't come, while observations wait for
  /// the server.
  var showsLastKnown: Bool { get }
  /// Whether a request has failed since the server last answered.
  var hasFailed: Bool { get }
  /// Returns the server's last answer; `nil` while the server answers, or if nothing is kept or
  /// shown.
  func kept(_ request: ServerRequest) -> ServerAnswer?
}

extension ServerTransport {
  public var showsLastKnown: Bool { false }
  public var hasFailed: Bool { false }
  public func kept(_ request: ServerRequest) -> ServerAnswer? { nil }
}

/// The answer of an operation that signs in.
struct SessionGrant<Value: Codable & Sendable>: Codable, Sendable {
  var token: Secret<String>
  var value: Value
}

extension Route {
  /// Adds the token of a session that has begun to the answer of an operation.
  package static func grant(_ token: Secret<String>, _ body: Data?) throws -> Data {
    var answer = Data("{\"token\":".utf8)
    answer += try WireCoding.encode(token) + Data(",\"value\":".utf8) + (body ?? Data("null".utf8))
    return answer + Data("}".utf8)
  }
}

extension ServerTransport {
  /// Sends the request of a route, and reads the answer.
  func ask<Value: Codable & Sendable>(
    _ route: Route, _ arguments: ArgumentWriter, for type: Value.Type
  ) async throws(ClientError) -> Value {
    let answer = try await answerOrKept(try request(route, arguments))
    switch route.access {
    case .anyone, .signedIn: return try read(type, answer.body)
    case .signsIn:
      let grant = try read(SessionGrant<Value>.self, answer.body)
      do throws(StorageError) { try await keep(grant.token) } catch { throw .storage(error) }
      return grant.value
    case .signsOut:
      do throws(StorageError) { try await keep(nil) } catch { throw .storage(error) }
      return try read(type, answer.body)
    }
  }

  /// Uploads a file in one request.
  func upload(_ route: Route, _ arguments: ArgumentWriter) -> AsyncStream<UploadEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: UploadEvent.self)
    let task = Task {
      continuation.yield(.progress(percent: 0))
      do throws(ClientError) {
        let document = try await ask(route, arguments, for: EmergencyDocument.self)
        continuation.yield(.completed(document))
      } catch {
        continuation.yield(.failed(error))
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Returns a stream of a route's answers, now and after every change. If the server can't be
  /// reached, it fails; its observer shows that, and observes again after a while. With
  /// ``showsLastKnown`` it begins with the answer that is kept, and waits.
  func observe<Value: Codable & Sendable>(
    _ route: Route, _ arguments: ArgumentWriter, for type: Value.Type
  ) -> AsyncThrowingStream<Value, any Error> {
    .ofTask { try await follow(try request(route, arguments), $0) }
  }

  private func follow<Value: Codable & Sendable>(
    _ request: ServerRequest, _ continuation: AsyncThrowingStream<Value, any Error>.Continuation
  ) async throws(ClientError) {
    var request = request
    var isSilent = true
    func showKept() {
      guard isSilent, let kept = kept(request),
        let value = try? read(Value.self, kept.body) as Value
      else { return }
      continuation.yield(value)
      request.ifNoneMatch = kept.etag
      isSilent = false
    }
    showKept()
    // Before the first request, so that no change between the two is missed.
    var changes = changes().makeAsyncIterator()
    var asksAgain = false
    repeat {
      do throws(ClientError) {
        let answer = try await answer(request)
        asksAgain = false
        guard answer.status != 304 else { continue }
        continuation.yield(try read(Value.self, answer.body))
        request.ifNoneMatch = answer.etag
        isSilent = false
      } catch {
        let isAway = hasFailed
        guard error.saysServerIsAway, showsLastKnown, isAway || !asksAgain else { throw error }
        // If other requests were answered in the meantime, a kept page would look like an answer.
        asksAgain = !isAway
        if isAway { showKept() }
      }
    } while asksAgain ? !Task.isCancelled : await changes.next() != nil
  }

  /// Returns the server's answer, or else the last one. After a failure, it doesn't wait for the
  /// server again.
  private func answerOrKept(
    _ request: ServerRequest
  ) async throws(ClientError) -> ServerAnswer {
    if hasFailed, let kept = kept(request) { return kept }
    do throws(ClientError) { return try await answer(request) } catch {
      guard error.saysServerIsAway, let kept = kept(request) else { throw error }
      return kept
    }
  }

  private func request(
    _ route: Route, _ arguments: ArgumentWriter
  ) throws(ClientError) -> ServerRequest {
    do { return try route.request(arguments) } catch {
      throw .storage(.serialization(ErrorTransformer.summary(of: error)))
    }
  }

  private func answer(_ request: ServerRequest) async throws(ClientError) -> ServerAnswer {
    let answer: ServerAnswer
    do throws(NetworkError) { answer = try await send(request) } catch {
      throw .storage(.network(error))
    }
    guard (200...299).contains(answer.status) || answer.status == 304 else {
      throw ServerRefusal.error(of: answer)
    }
    // Some proxies answer with a status of their own.
    if let error = ServerRefusal.errorInBody(of: answer) { throw error }
    return answer
  }

  private func read<Value: Codable>(
    _ type: Value.Type, _ body: Data
  ) throws(ClientError) -> Value {
    // An operation without a result is answered by an empty body.
    let body = body.isEmpty ? Data("{}".utf8) : body
    do { return try WireCoding.decodeAnswer(type, from: body) } catch {
      throw .storage(.network(.answerUnreadable))
    }
  }
}

extension Route {
  /// Returns the request for arguments whose types are known only at run time, as in tests.
  package func request(values: [any Codable & Sendable]) throws -> ServerRequest {
    var writer = ArgumentWriter(arguments)
    for value in values { writer.append(value) }
    return try request(writer)
  }

  /// Returns the request for some arguments. Those that aren't in the path go into the query of a
  /// read, or the body of a write.
  func request(_ arguments: ArgumentWriter) throws -> ServerRequest {
    var arguments = arguments
    let path = try path.filled { name in
      guard let text = try arguments.takeText(name), !text.isEmpty else {
        throw Malformed("“\(name)” is missing")
      }
      return text
    }
    guard method == .get else {
      var request = ServerRequest(
        method, path, body: try arguments.body() ?? Data(), idempotencyKey: UUID())
      request.comesFirst = isCallForHelp || isCheckIn
      return request
    }
    var query: [String: String] = [:]
    for name in arguments.remaining { query[name] = try arguments.takeText(name) }
    var request = ServerRequest(method, path, query: query)
    request.page = page(of: request)
    return request
  }
}

extension ClientError {
  /// Whether the server didn't answer, so that its last answer still stands.
  fileprivate var saysServerIsAway: Bool {
    switch self {
    // A hotel's login page, or a proxy's, stands in its place.
    case .storage(.network(.serverUnreachable)), .storage(.network(.notLifeSignal)): true
    default: false
    }
  }
}

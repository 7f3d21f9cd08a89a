public import Clients
public import Domain
public import FoundationEssentials

/// What is asked of a server.
public struct ServerRequest: Sendable {
  public var method: Route.Method
  /// Begins with a slash; without the query.
  public var path: String
  public var query: [String: String]
  public var body: Data
  /// Known answers to the same request need not come again.
  public var ifNoneMatch: String?
  /// By which the repeat of a write is known; `nil` for reads.
  public var idempotencyKey: UUID?
  /// Under which name a device keeps the answer, to show it while the server is away; `nil` for what it
  /// does not keep.
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

  /// The path with its query, as a request line has it.
  public var target: String {
    guard !query.isEmpty else { return path }
    return path + "?"
      + query.sorted { $0.key < $1.key }
      .map { PercentCoding.encode($0.key) + "=" + PercentCoding.encode($0.value) }
      .joined(separator: "&")
  }
}

/// What a server answers.
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

/// A way to a server. It knows where the server is, keeps the session's token, and sends it with every
/// request.
public protocol ServerTransport: Sendable {
  func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer
  /// Keeps the token of the session that has begun; with `nil` forgets it, since the session has ended.
  func keep(_ token: Secret<String>?) async throws(StorageError)
  /// Tells whenever something may have changed: after every change of the account, and when the server can
  /// be reached again.
  func changes() -> AsyncStream<Void>
  /// Whether what the server does not answer is answered by ``kept(_:)``, and what is observed waits for it.
  var showsLastKnown: Bool { get }
  /// Whether the server was asked in vain since it last answered.
  var hasFailed: Bool { get }
  /// What the server answered last; `nil` while it answers, and where that is not kept or not shown.
  func kept(_ request: ServerRequest) -> ServerAnswer?
}

extension ServerTransport {
  public var showsLastKnown: Bool { false }
  public var hasFailed: Bool { false }
  public func kept(_ request: ServerRequest) -> ServerAnswer? { nil }
}

/// The answer of what signs in.
struct SessionGrant<Value: Codable & Sendable>: Codable, Sendable {
  var token: Secret<String>
  var value: Value
}

extension Route {
  /// Adds the token of a session that has begun to what an operation has answered.
  package static func grant(_ token: Secret<String>, _ body: Data?) throws -> Data {
    var answer = Data("{\"token\":".utf8)
    answer += try WireCoding.encode(token) + Data(",\"value\":".utf8) + (body ?? Data("null".utf8))
    return answer + Data("}".utf8)
  }
}

extension ServerTransport {
  /// Does what a route stands for, and reads the answer.
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

  /// Moves a file in one request.
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

  /// What a route answers now and after every change. Where the server can't be reached it fails: who observes
  /// says so, and observes again after a while. With ``showsLastKnown`` it begins with what is kept, and waits.
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
    // Before the first look, so that no change between the two is missed.
    var changes = changes().makeAsyncIterator()
    repeat {
      do throws(ClientError) {
        let answer = try await answer(request)
        guard answer.status != 304 else { continue }
        continuation.yield(try read(Value.self, answer.body))
        request.ifNoneMatch = answer.etag
        isSilent = false
      } catch {
        // Others were answered in the meantime: what is shown would pass for an answer.
        guard error.saysServerIsAway, showsLastKnown, hasFailed else { throw error }
        showKept()
      }
    } while await changes.next() != nil
  }

  /// What the server answers, or what it answered last. Who has asked in vain does not wait again.
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
      throw .storage(.serialization("\(error)"))
    }
  }

  private func answer(_ request: ServerRequest) async throws(ClientError) -> ServerAnswer {
    let answer: ServerAnswer
    do throws(NetworkError) { answer = try await send(request) } catch {
      throw .storage(.network(error))
    }
    if (200...299).contains(answer.status) || answer.status == 304 { return answer }
    throw ServerRefusal.error(of: answer)
  }

  private func read<Value: Codable>(
    _ type: Value.Type, _ body: Data
  ) throws(ClientError) -> Value {
    // What has no answer is answered by nothing.
    let body = body.isEmpty ? Data("{}".utf8) : body
    do { return try WireCoding.decode(type, from: body) } catch {
      throw .storage(.network(.answerUnreadable))
    }
  }
}

extension Route {
  /// The request for arguments whose types are known only at run time, as tests make them.
  package func request(values: [any Codable & Sendable]) throws -> ServerRequest {
    var writer = ArgumentWriter(arguments)
    for value in values { writer.append(value) }
    return try request(writer)
  }

  /// The request for these arguments: some in the path, and the others in the query of what reads, or the
  /// body.
  func request(_ arguments: ArgumentWriter) throws -> ServerRequest {
    var arguments = arguments
    let path = try path.filled { name in
      guard let text = try arguments.takeText(name), !text.isEmpty else {
        throw Malformed("“\(name)” is missing")
      }
      return text
    }
    guard method == .get else {
      return ServerRequest(
        method, path, body: try arguments.body() ?? Data(), idempotencyKey: UUID())
    }
    var query: [String: String] = [:]
    for name in arguments.remaining { query[name] = try arguments.takeText(name) }
    var request = ServerRequest(method, path, query: query)
    request.page = page(of: request)
    return request
  }
}

extension ClientError {
  /// Whether the server did not answer, so that nothing speaks against what it said last.
  fileprivate var saysServerIsAway: Bool {
    if case .storage(.network(.serverUnreachable)) = self { true } else { false }
  }
}

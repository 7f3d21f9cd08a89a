import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol
import Synchronization

extension ServerConnection {
  /// The largest size of a body that comes with its request, in bytes.
  private static let bodyLimit = 64 << 10
  /// The size of one part of a larger body, in bytes.
  private static let partSize = 256 << 10

  func send(
    _ request: ServerRequest, _ token: String?
  ) async throws(NetworkError) -> ServerAnswer {
    var headers = headers(token)
    if let etag = request.ifNoneMatch { headers.append(("If-None-Match", etag)) }
    guard let key = request.idempotencyKey else {
      // A file, or a whole account, takes its time on a slow line.
      let isLarge = request.path.hasSuffix("/part") || request.path == "/v1/export"
      let date = now()
      let (raw, _) = await carryRepeatedly(
        within: isLarge ? max(.seconds(60), limits.read) : limits.read, isWrite: false, token
      ) { rest in
        self.request(request.method, request.target, headers: headers, within: rest)
      }
      let answer = try read(try raw.get())
      // The server's store may be away.
      if [502, 503, 504].contains(answer.status) { throw .serverUnreachable(server.name) }
      if let page = request.page, let token, !endsSession(answer, to: request) {
        keep(answer, as: page, token, askedAt: date)
      }
      return answer
    }
    headers.append(("Idempotency-Key", key.uuidString))
    var body = request.body
    if body.count > Self.bodyLimit {
      headers.append(("LifeSignal-Body", try await sendParts(of: body, token)))
      body = Data()
    }
    if !request.comesFirst, token != nil, serverClock.isUnknown { await askTime(token) }
    return try await write(request, headers: headers, body: body, token)
  }

  /// Asks the server for its time, so that a request can say when it was made. Without an answer it
  /// is made all the same.
  func askTime(_ token: String?) async {
    let request = request(
      .get, "/v1/auth", headers: headers(token), within: min(.seconds(3), limits.read))
    let begun = serverClock.machine
    if let answer = try? await answer(to: request) { note(answer, of: token, since: begun) }
  }

  /// Asks the server for its time if it isn't known.
  func learnTime() async {
    let token = held.withLock { $0 }
    if token != nil, serverClock.isUnknown { await askTime(token) }
  }

  private func note(_ answer: HTTPReply, of token: String?, since begun: Uptime?) {
    guard let token else { return }
    serverClock.note(
      answer.headers[ServerReference.header.lowercased()],
      session: SecureToken(text: token).digest, since: begun)
  }

  /// Sends a large body ahead of its request.
  /// - Returns: The name by which the request refers to it.
  private func sendParts(
    of body: Data, _ token: String?
  ) async throws(NetworkError) -> String {
    let id = UUID()
    var count = 0
    while count * Self.partSize < body.count {
      let part = body.dropFirst(count * Self.partSize).prefix(Self.partSize)
      let answer = try await answer(
        to: request(
          .put, "/v1/bodies/\(id)/\(count)", headers: headers(token), body: Data(part),
          within: max(.seconds(30), limits.write)))
      guard answer.status == 204 else {
        throw ErrorTransformer.networkError(
          status: answer.status, retryAfter: retryAfter(of: answer),
          inPlaceOf: answer.isJSON ? nil : server.name)
      }
      count += 1
    }
    return "\(id)/\(count)"
  }

  /// Sends a write, and repeats it under the same key while it may not have been done.
  /// - Throws: ``NetworkError/unanswered`` if one of the tries may have arrived, whatever the
  ///   result of the others.
  private func write(
    _ request: ServerRequest, headers: [(name: String, value: String)], body: Data,
    _ token: String?
  ) async throws(NetworkError) -> ServerAnswer {
    let made = serverClock.begin()
    let (result, mayBeDone) = await carryRepeatedly(
      within: limits.write, isWrite: true, token
    ) { rest in
      self.request(
        request.method, request.target, headers: headers + [serverClock.madeHeader(made)],
        body: body, within: rest)
    }
    switch result {
    case .success(let answer) where !mayBeDone || !answer.isRefusedForNow: return try read(answer)
    case .failure(let error) where !mayBeDone: throw error
    default: throw .unanswered
    }
  }

  /// Sends a request, and again while that may help and there is time. A read that never left is not
  /// sent again: what is known is shown at once, and who observes it asks again.
  /// - Parameters:
  ///   - total: The time limit for all attempts together.
  ///   - request: Returns the request for an attempt, with the time that it has left.
  /// - Returns: The last result, and whether an attempt may have been executed without an answer.
  func carryRepeatedly(
    within total: Duration, isWrite: Bool, _ token: String?,
    _ request: (_ rest: Duration) -> HTTPRequest
  ) async -> (result: Result<HTTPReply, NetworkError>, mayBeDone: Bool) {
    let start = ContinuousClock.now
    var policy = limits.retries
    policy.retryableErrors = { $0.isRetryable && (isWrite || ($0 as? Setback)?.hasLeft == true) }
    var mayBeDone = false
    do throws(Setback) {
      let answer = try await withRetry(
        policy, clock: clock,
        random: WithRandomNumberGenerator(SystemRandomNumberGenerator()), within: total,
        onRetry: { _, _, _ in EndpointCall.noteRetry() }
      ) { () async throws(Setback) -> HTTPReply in
        let rest = max(total - start.duration(to: .now), .seconds(1))
        let begun = serverClock.machine
        let answer: HTTPReply
        do throws(HTTPFault) { answer = try await carry(request(rest)) } catch {
          switch error {
          case .unanswered: mayBeDone = true
          // Nobody waited for the answer.
          case .cancelled: mayBeDone = mayBeDone || isWrite
          default: break
          }
          throw Setback(error: networkError(error), hasLeft: mayBeDone)
        }
        note(answer, of: token, since: begun)
        // A proxy doesn't know how far the server came.
        mayBeDone = mayBeDone || [502, 504].contains(answer.status)
        guard answer.isRefusedForNow else { return answer }
        throw Setback(
          error: .serverUnreachable(server.name), answer: answer, wait: retryAfter(of: answer))
      }
      return (.success(answer), mayBeDone)
    } catch {
      return (error.answer.map { .success($0) } ?? .failure(error.error), mayBeDone)
    }
  }

  /// The result of an attempt after which another may succeed.
  private struct Setback: AppError {
    var error: NetworkError
    /// Whether an attempt may have arrived.
    var hasLeft = true
    /// The answer that refuses the request for now.
    var answer: HTTPReply?
    /// The wait that the answer asks for.
    var wait: TimeSpan?

    var text: ErrorText {
      var text = error.text
      text.retryAfter = wait
      return text
    }
  }

  /// Returns the answer for a client. Throws if it doesn't come from a LifeSignal server.
  func read(_ answer: HTTPReply) throws(NetworkError) -> ServerAnswer {
    guard answer.status != 426, [204, 304].contains(answer.status) || answer.isJSON else {
      throw ErrorTransformer.networkError(
        status: answer.status, retryAfter: retryAfter(of: answer), inPlaceOf: server.name)
    }
    return ServerAnswer(status: answer.status, etag: answer.headers["etag"], body: answer.body)
  }
}

extension ServerConnection {
  /// The wait that the server, or a proxy in front of it, asks for; an hour at most.
  fileprivate func retryAfter(of answer: HTTPReply) -> TimeSpan? {
    answer.headers["retry-after"].flatMap { RetryAfter.span($0, now: now()) }.map {
      min($0, .hours(1))
    }
  }
}

extension HTTPReply {
  /// Whether it is the answer of a server that is alive.
  var isAlive: Bool { status == 200 && body == Data("alive\n".utf8) }

  /// Whether the server itself has answered, with its store.
  var isOfServer: Bool {
    ![502, 503, 504].contains(status) && (isJSON || status == 204 || status == 304)
  }

  /// Returns how far the server's clock is ahead of ours, which shows the given time; `nil` if the
  /// answer doesn't say.
  func clockLead(at ours: Date) -> TimeSpan? {
    // The date is cut to the second.
    headers["date"].flatMap(RetryAfter.date).map { date in
      .seconds(Int(bounded: (date.timeIntervalSince(ours) + 0.5).rounded()))
    }
  }

  /// Whether the same request may succeed in a moment. After too many wrong passwords or codes, a
  /// person must wait.
  fileprivate var isRefusedForNow: Bool {
    [502, 503, 504].contains(status)
      || status == 429
        && !(isJSON && ServerRefusal.isOfRule(ServerAnswer(status: status, body: body)))
  }
}

extension HTTPResult {
  func reply() throws(HTTPFault) -> HTTPReply {
    switch self {
    case .reply(let reply): return reply
    case .failed(let fault): throw fault
    }
  }
}

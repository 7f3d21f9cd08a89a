import Clients
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
    if let etag = request.ifNoneMatch { headers.append("If-None-Match: \(etag)") }
    guard let key = request.idempotencyKey else {
      // A file, or a whole account, takes its time on a slow line.
      let isLarge = request.path.hasSuffix("/part") || request.path == "/v1/export"
      let date = now()
      let begun = serverClock.machine
      let raw = try await answer(
        to: exchange(
          request.method, request.target, headers: headers, body: Data(),
          within: isLarge ? max(.seconds(60), limits.read) : limits.read))
      note(raw, of: token, since: begun)
      let answer = try read(raw)
      // The server's store may be away.
      if [502, 503, 504].contains(answer.status) { throw .serverUnreachable(server.name) }
      if let page = request.page, let token, !endsSession(answer, to: request) {
        keep(answer, as: page, token, askedAt: date)
      }
      return answer
    }
    headers.append("Idempotency-Key: \(key.uuidString)")
    var body = request.body
    if body.count > Self.bodyLimit {
      headers.append("LifeSignal-Body: \(try await sendParts(of: body, token))")
      body = Data()
    }
    if !request.comesFirst, token != nil, serverClock.isUnknown { await askTime(token) }
    return try await write(request, headers: headers, body: body, token)
  }

  /// Asks the server for its time, so that a request can say when it was made. Without an answer it
  /// is made all the same.
  func askTime(_ token: String?) async {
    let request = exchange(
      .get, "/v1/auth", headers: headers(token), body: Data(), within: min(.seconds(3), limits.read)
    )
    let begun = serverClock.machine
    if let answer = try? await answer(to: request) { note(answer, of: token, since: begun) }
  }

  /// Asks the server for its time if it isn't known.
  func learnTime() async {
    let token = held.withLock { $0 }
    if token != nil, serverClock.isUnknown { await askTime(token) }
  }

  private func note(_ answer: ServerExchange.Answer, of token: String?, since begun: Uptime?) {
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
        to: exchange(
          .put, "/v1/bodies/\(id)/\(count)", headers: headers(token), body: Data(part),
          within: max(.seconds(30), limits.write)))
      switch answer.status {
      case 204: count += 1
      case 429: throw .rateLimited(retryAfter: answer.retryAfter)
      case 500...599: throw .serverError(answer.status)
      default: throw .unexpectedAnswer(answer.status)
      }
    }
    return "\(id)/\(count)"
  }

  /// Sends a write, and repeats it under the same key while it may not have been done.
  /// - Throws: ``NetworkError/unanswered`` if one of the tries may have arrived, whatever the
  ///   result of the others.
  private func write(
    _ request: ServerRequest, headers: [String], body: Data, _ token: String?
  ) async throws(NetworkError) -> ServerAnswer {
    let start = ContinuousClock.now
    let made = serverClock.begin()
    var attempt = 1
    var mayBeDone = false
    while true {
      let rest = max(limits.write - start.duration(to: .now), .seconds(1))
      var pause = Duration.milliseconds(250 * attempt)
      var answer: ServerExchange.Answer?
      let begun = serverClock.machine
      do throws(ServerExchange.Fault) {
        answer = try await carry(
          exchange(
            request.method, request.target, headers: headers + [serverClock.madeHeader(made)],
            body: body, within: rest))
      } catch {
        mayBeDone = mayBeDone || error.mayHaveArrived
        guard error.mayPass, mayRepeat(attempt, after: pause, since: start) else {
          throw mayBeDone ? .unanswered : networkError(error)
        }
      }
      if let answer {
        note(answer, of: token, since: begun)
        if let wait = answer.retryAfter { pause = .seconds(wait.seconds) }
        // A proxy doesn't know how far the server came.
        mayBeDone = mayBeDone || [502, 504].contains(answer.status)
        guard answer.isRefusedForNow, mayRepeat(attempt, after: pause, since: start) else {
          if mayBeDone, answer.isRefusedForNow { throw .unanswered }
          return try read(answer)
        }
      }
      attempt += 1
      do { try await clock.sleep(for: pause) } catch { throw .serverUnreachable(server.name) }
    }
  }

  private func mayRepeat(
    _ attempt: Int, after pause: Duration, since start: ContinuousClock.Instant
  ) -> Bool {
    attempt < limits.attempts && start.duration(to: .now) + pause < limits.write
  }

  /// Returns the answer for a client. Throws if it doesn't come from a LifeSignal server.
  func read(_ answer: ServerExchange.Answer) throws(NetworkError) -> ServerAnswer {
    switch answer.status {
    case 204, 304: break
    case 426: throw .versionRefused
    case 429 where !answer.isJSON: throw .rateLimited(retryAfter: answer.retryAfter)
    // The answer of a proxy whose server is away.
    case 502...504 where !answer.isJSON: throw .serverUnreachable(server.name)
    case 500... where !answer.isJSON: throw .serverError(answer.status)
    default: guard answer.isJSON else { throw .notLifeSignal(answer.status) }
    }
    return ServerAnswer(status: answer.status, etag: answer.headers["etag"], body: answer.body)
  }
}

extension ServerExchange.Answer {
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

  /// The wait that the server, or a proxy in front of it, asks for.
  fileprivate var retryAfter: TimeSpan? {
    headers["retry-after"].flatMap { Int($0) }.flatMap { $0 >= 0 ? .seconds(min($0, 3_600)) : nil }
  }

  /// Whether the same request may succeed in a moment. After too many wrong passwords or codes, a
  /// person must wait.
  fileprivate var isRefusedForNow: Bool {
    [502, 503, 504].contains(status)
      || status == 429
        && !(isJSON && ServerRefusal.isOfRule(ServerAnswer(status: status, body: body)))
  }
}

extension ServerExchange.Fault {
  /// Whether it makes sense to send the same request again.
  fileprivate var mayPass: Bool { [.lost, .timedOut, .unreachable].contains(self) }

  /// Whether the server may have received the request.
  fileprivate var mayHaveArrived: Bool { [.lost, .timedOut].contains(self) }
}

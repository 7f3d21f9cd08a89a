package import Clients
import Cryptography
package import Domain
package import FoundationEssentials
package import SQLite
package import ServerProtocol
import Synchronization

/// The way of an app to its server, over HTTPS: it shows the session's token with every request, repeats a write
/// whose answer was lost under the same key, and waits for changes for all that are observed together.
package final class ServerConnection: Sendable {
  package struct Limits: Sendable {
    /// Until there is a connection.
    package var connect = Duration.seconds(3)
    package var read = Duration.seconds(8)
    /// For a write with its repeats.
    package var write = Duration.seconds(12)
    /// Longer than a server keeps one waiting for a change.
    package var poll = Duration.seconds(65)
    /// How often a server whose answer is waited for has to show that it is there.
    package var pulse = Duration.seconds(15)
    /// For that.
    package var beat = Duration.seconds(4)
    /// Bytes of an answer.
    package var answer = 16 << 20
    /// How often a write is sent at most.
    package var attempts = 3
    package init() {}
  }

  /// Where the session's token lies.
  package struct TokenKeeper: Sendable {
    package var load: @Sendable () throws(KeychainError) -> String?
    package var keep: @Sendable (String?) throws(KeychainError) -> Void

    package init(
      load: @escaping @Sendable () throws(KeychainError) -> String?,
      keep: @escaping @Sendable (String?) throws(KeychainError) -> Void
    ) {
      self.load = load
      self.keep = keep
    }
  }

  package let server: JoinedServer
  private let device: String
  private let keeper: TokenKeeper
  private let limits: Limits
  private let certificateAuthority: String?
  private let pages: PageCache?
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let reach: ServerReach
  private let isShowingLastKnown = Atomic(false)
  private let handles = ServerExchange.Handles()
  private let held: Mutex<String?>
  /// The code of the invitation that is shown.
  private let invite: Mutex<String?>
  /// The codes of invitations of which the server has not said that they are made.
  private let invitationCodes = Mutex<[Roles: SecureToken]>([:])
  private let feed: ChangeFeed

  /// - Parameters:
  ///   - device: What the list of sessions calls this machine.
  ///   - invite: The code of an invitation, for who opens an account.
  ///   - pages: Where its answers are kept; `nil` for nowhere.
  /// - Throws: where the token can't be read.
  package init(
    to server: JoinedServer, device: String, invite: String? = nil, tokens: TokenKeeper,
    pages: PageCache? = nil, limits: Limits = Limits(), certificateAuthority: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) throws(KeychainError) {
    self.server = server
    self.device = device
    self.invite = Mutex(invite)
    keeper = tokens
    self.limits = limits
    self.certificateAuthority = certificateAuthority
    self.pages = pages
    self.clock = clock
    self.now = now
    reach = ServerReach(clock: clock, now: now)
    held = Mutex(try tokens.load())
    feed = ChangeFeed(clock: clock)
  }

  /// What the server shows of itself before anything is asked.
  package struct Identity: Equatable, Sendable {
    /// SHA-256 of its key.
    package var fingerprint: String
    /// Whether the system trusts its certificate.
    package var isTrusted: Bool

    package init(fingerprint: String, isTrusted: Bool) {
      self.fingerprint = fingerprint
      self.isTrusted = isTrusted
    }
  }

  /// Looks at the server's key, and sends nothing that only the server may know.
  package func identify() async throws(NetworkError) -> Identity {
    var request = exchange(.get, "/healthz", headers: [], body: Data(), within: limits.read)
    request.looksOnly = true
    let answer: ServerExchange.Answer
    do throws(ServerExchange.Fault) {
      answer = try await ServerExchange.answer(to: request, with: handles)
    } catch { throw networkError(error) }
    guard let fingerprint = answer.fingerprint else { throw .notLifeSignal(answer.status) }
    request.looksOnly = false
    do throws(ServerExchange.Fault) {
      _ = try await ServerExchange.answer(to: request, with: handles)
      return Identity(fingerprint: fingerprint, isTrusted: true)
    } catch {
      guard error == .notTrusted else { throw networkError(error) }
      return Identity(fingerprint: fingerprint, isTrusted: false)
    }
  }

  /// What the server says of itself.
  package struct Statement: Equatable, Sendable {
    /// `nil` for one that doesn't say.
    package var version: String?
    /// How far its clock is ahead of this machine's; `nil` for one that doesn't say.
    package var clockLead: TimeSpan?

    package init(version: String? = nil, clockLead: TimeSpan? = nil) {
      self.version = version
      self.clockLead = clockLead
    }
  }

  /// Asks for what the server says of itself, under the key by which it is known.
  package func statement() async throws(NetworkError) -> Statement {
    let start = now()
    let answer: ServerExchange.Answer
    do throws(ServerExchange.Fault) { answer = try await health(within: limits.read) } catch {
      throw networkError(error)
    }
    let middle = start + now().timeIntervalSince(start) / 2
    guard answer.isAlive else { throw .notLifeSignal(answer.status) }
    return Statement(
      version: answer.headers["lifesignal-version"], clockLead: answer.clockLead(at: middle))
  }

  private func health(
    within total: Duration
  ) async throws(ServerExchange.Fault) -> ServerExchange.Answer {
    try await ServerExchange.answer(
      to: exchange(.get, "/healthz", headers: [], body: Data(), within: total), with: handles)
  }

  private func exchange(
    _ method: Route.Method, _ target: String, headers: [String], body: Data,
    within total: Duration
  ) -> ServerExchange.Request {
    ServerExchange.Request(
      method: method.rawValue, url: server.url + target, headers: headers, body: body,
      connect: min(limits.connect, total), total: total, limit: limits.answer,
      fingerprint: server.fingerprint, certificateAuthority: certificateAuthority)
  }

  private func answer(
    to request: ServerExchange.Request
  ) async throws(NetworkError) -> ServerExchange.Answer {
    do throws(ServerExchange.Fault) { return try await carry(request) } catch {
      throw networkError(error)
    }
  }

  /// Carries a request, and notes whether the server answers.
  private func carry(
    _ request: ServerExchange.Request
  ) async throws(ServerExchange.Fault) -> ServerExchange.Answer {
    let attempt = reach.begin()
    do throws(ServerExchange.Fault) {
      let answer = try await ServerExchange.answer(to: request, with: handles)
      if answer.isOfServer {
        reach.answered(clockLead: answer.clockLead(at: now()))
      } else {
        reach.failed(attempt)
      }
      return answer
    } catch {
      if error != .cancelled { reach.failed(attempt) }
      throw error
    }
  }

  private func networkError(_ fault: ServerExchange.Fault) -> NetworkError {
    switch fault {
    case .notLoaded: .libraryMissing
    case .notTrusted: .notTrusted
    case .otherKey: .otherKey
    case .tooLarge: .answerTooLarge
    case .timedOut, .unreachable, .lost, .cancelled: .serverUnreachable(server.name)
    }
  }

  /// What stands with every request.
  private func headers(_ token: String?) -> [String] {
    // The server takes at most 64 letters; a control character would refuse every request.
    let device = String(device.unicodeScalars.filter { $0.isASCII && $0.value > 31 }.prefix(64))
    return ["Content-Type: application/json", "LifeSignal-Device: \(device)"]
      + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
      + (invite.withLock(\.self).map { ["LifeSignal-Invite: \($0)"] } ?? [])
  }
}

extension ServerConnection: ServerTransport {
  package func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer {
    let token = held.withLock { $0 }
    let answer = try await send(request, token)
    guard let token, endsSession(answer, to: request) else { return answer }
    guard answer.status == 401 else {
      // What needs a session says why there is none, as often as it is asked; what it was shown goes now.
      held.withLock { _ in pages?.removeAll(of: owner(token)) }
      return answer
    }
    // Another program may have signed in here since.
    if let current = try? keeper.load(), current != token {
      hold(current)
      return try await send(request, current)
    }
    hold(nil)
    try? keeper.keep(nil)
    return answer
  }

  /// Whether an answer says that the session is over.
  private func endsSession(_ answer: ServerAnswer, to request: ServerRequest) -> Bool {
    if [401, 403].contains(answer.status) { return ServerRefusal.endsSession(answer) }
    guard answer.status == 200, request.path.hasSuffix("/auth"),
      let state = try? WireCoding.decode(AuthState.self, from: answer.body)
    else { return false }
    if case .signedIn = state { return false }
    return true
  }

  package func keep(_ token: Secret<String>?) async throws(StorageError) {
    do throws(KeychainError) { try keeper.keep(token?.value) } catch {
      throw .unknown(error.errorDescription)
    }
    hold(token?.value)
    feed.restart()
  }

  package func changes() -> AsyncStream<Void> {
    feed.changes(
      ChangeFeed.Source(
        next: { [weak self] after throws(NetworkError) in
          guard let self else { throw .connectionFailed }
          return try await nextChange(after: after)
        },
        untilAway: { [weak self] in await self?.untilAway() },
        isWaitedFor: { [weak self] in self?.showsLastKnown ?? false }))
  }

  /// Shows an invitation with every request from now on: a link to this server, or its code; none with an empty text.
  func show(invitation typed: String) throws(ClientError) {
    let typed = typed.trimmingWhitespace()
    var code: String? = typed.isEmpty ? nil : typed
    if typed.contains(":") {
      let link: ServerLink
      do throws(ServerLink.Malformed) { link = try ServerLink(typed) } catch {
        throw .inviteRequired
      }
      guard link.server.name == server.name else {
        throw .codeElsewhere(link.server.name, here: server.name)
      }
      code = link.code
    }
    // It stands in a header.
    guard code?.utf8.allSatisfy({ (33...126).contains($0) }) != false else { throw .inviteRequired }
    invite.withLock { $0 = code }
  }

  // MARK: While the server is away

  package var connection: ConnectionState { reach.state }
  package var shownAsOf: Date? { reach.shownAsOf }
  package var clockLead: TimeSpan { reach.clockLead ?? .zero }
  package func observeConnection() -> AsyncStream<ConnectionState> { reach.observe() }
  package func showLastKnown() { isShowingLastKnown.store(true, ordering: .relaxed) }

  package var showsLastKnown: Bool { isShowingLastKnown.load(ordering: .relaxed) }
  package var hasFailed: Bool { reach.hasFailed }

  package func kept(_ request: ServerRequest) -> ServerAnswer? {
    // What is observed of notifications begins with an answer.
    guard let name = request.page, !name.hasPrefix(Route.notificationsPages),
      let page = page(name)
    else { return nil }
    return ServerAnswer(status: 200, etag: page.etag, body: page.body)
  }

  /// What the server answered last; `nil` while it answers, and where nothing is kept or shown.
  package func lastKnown<Value: Decodable>(_ type: Value.Type, page name: String) -> Value? {
    page(name).flatMap { try? WireCoding.decode(type, from: $0.body) }
  }

  /// Waits until the server answers, where a page is shown as it was last known.
  /// - Returns: Whether it is.
  func answers(after page: String) async throws -> Bool {
    guard reach.isShown(page) else { return false }
    for await state in reach.observe() where state == .connected { break }
    try Task.checkCancellation()
    return true
  }

  private func page(_ name: String) -> PageCache.Page? {
    guard showsLastKnown, reach.state.isAway, let pages, let token = held.withLock({ $0 }),
      let page = pages.page(name, of: owner(token))
    else { return nil }
    reach.shows(name, asOf: page.date)
    return page
  }

  private func owner(_ token: String) -> String { Self.owner(token, at: server.url) }

  /// Whose pages are those of a session at a server.
  package static func owner(_ token: String, at url: String) -> String {
    SecureToken(text: url + "\n" + token).digest
  }

  /// Shows another token from now on, or none. What a session was shown goes with it.
  private func hold(_ token: String?) {
    held.withLock { held in
      if let old = held, old != token {
        pages?.removeAll(of: owner(old))
        invitationCodes.withLock { $0 = [:] }
      }
      held = token
    }
  }

  /// The code of the next invitation for these roles; the same one until ``forgetInvitationCode(for:)``.
  func invitationCode(for roles: Roles) -> SecureToken {
    invitationCodes.withLock { codes in
      let code = codes[roles] ?? .invitation
      codes[roles] = code
      return code
    }
  }

  func forgetInvitationCode(for roles: Roles) { invitationCodes.withLock { $0[roles] = nil } }

  /// Keeps what a page is now.
  private func keep(
    _ answer: ServerAnswer, as page: String, _ token: String, askedAt date: Date
  ) {
    guard let pages else { return }
    let owner = owner(token)
    held.withLock { held in
      // What comes after the end of its session is kept nowhere.
      guard held == token else { return }
      switch answer.status {
      case 200:
        pages.keep(.init(etag: answer.etag, body: answer.body, date: date), as: page, of: owner)
      case 304: pages.confirm(page, of: owner, at: date)
      case 429: return
      case 400..<500: pages.remove(page, of: owner)
      default: return
      }
    }
    reach.refreshed(page)
  }

  /// Returns once the server does not answer, which it is asked in between: one that hangs keeps its connections.
  private func untilAway() async {
    await withTaskGroup { group in
      group.addTask { [reach] in
        for await state in reach.observe() where state.isAway { return }
      }
      group.addTask { [clock, limits] in
        while (try? await clock.sleep(for: limits.pulse)) != nil { await self.takePulse() }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func takePulse() async {
    let attempt = reach.begin()
    do throws(ServerExchange.Fault) {
      if try await health(within: limits.beat).isAlive {
        reach.heard()
      } else {
        reach.failed(attempt)
      }
    } catch {
      if error != .cancelled { reach.failed(attempt) }
    }
  }

  /// Waits for the next change of the account.
  /// - Returns: What to ask with next time; `nil` while nobody is signed in.
  private func nextChange(after known: String?) async throws(NetworkError) -> String? {
    guard let token = held.withLock({ $0 }) else { return nil }
    let query = known.map { "?after=\($0)" } ?? ""
    let date = now()
    let answer = try read(
      try await answer(
        to: exchange(
          .get, "/v1/changes" + query, headers: headers(token), body: Data(),
          within: known == nil ? limits.read : limits.poll)))
    // What is observed is asked now, and says so.
    guard answer.status != 401 else { return nil }
    guard answer.status == 200 else { throw .serverError(answer.status) }
    guard let change = try? WireCoding.decode(Change.self, from: answer.body) else {
      throw .answerUnreadable
    }
    if change.after != known { reach.changed(after: known == nil ? nil : date) }
    return change.after
  }

  private struct Change: Decodable {
    var after: String
  }

  // MARK: Requests

  /// Bytes of a body that comes with its request.
  private static let bodyLimit = 64 << 10
  /// Bytes of one part of a larger one.
  private static let partSize = 256 << 10

  private func send(
    _ request: ServerRequest, _ token: String?
  ) async throws(NetworkError) -> ServerAnswer {
    var headers = headers(token)
    if let etag = request.ifNoneMatch { headers.append("If-None-Match: \(etag)") }
    guard let key = request.idempotencyKey else {
      // A file, or all that an account holds, takes its time on a slow line.
      let isLarge = request.path.hasSuffix("/part") || request.path == "/v1/export"
      let date = now()
      let answer = try read(
        try await answer(
          to: exchange(
            request.method, request.target, headers: headers, body: Data(),
            within: isLarge ? max(.seconds(60), limits.read) : limits.read)))
      // Its store may be away.
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
    return try await write(request, headers: headers, body: body)
  }

  /// Sends a large body ahead of its request.
  /// - Returns: By what the request names it.
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
  /// - Throws: ``NetworkError/unanswered`` where one of the tries may have arrived, whatever the result of the others.
  private func write(
    _ request: ServerRequest, headers: [String], body: Data
  ) async throws(NetworkError) -> ServerAnswer {
    let start = ContinuousClock.now
    var attempt = 1
    var mayBeDone = false
    while true {
      let rest = max(limits.write - start.duration(to: .now), .seconds(1))
      var pause = Duration.milliseconds(250 * attempt)
      var answer: ServerExchange.Answer?
      do throws(ServerExchange.Fault) {
        answer = try await carry(
          exchange(request.method, request.target, headers: headers, body: body, within: rest))
      } catch {
        mayBeDone = mayBeDone || error.mayHaveArrived
        guard error.mayPass, mayRepeat(attempt, after: pause, since: start) else {
          throw mayBeDone ? .unanswered : networkError(error)
        }
      }
      if let answer {
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

  /// What a client makes of an answer; what does not come from such a server is no answer.
  private func read(_ answer: ServerExchange.Answer) throws(NetworkError) -> ServerAnswer {
    switch answer.status {
    case 204, 304: break
    case 426: throw .versionRefused
    case 429 where !answer.isJSON: throw .rateLimited(retryAfter: answer.retryAfter)
    // Said by a proxy whose server is away.
    case 502...504 where !answer.isJSON: throw .serverUnreachable(server.name)
    case 500... where !answer.isJSON: throw .serverError(answer.status)
    default: guard answer.isJSON else { throw .notLifeSignal(answer.status) }
    }
    return ServerAnswer(status: answer.status, etag: answer.headers["etag"], body: answer.body)
  }
}

extension ServerExchange.Answer {
  /// Whether it is what a server says that lives.
  fileprivate var isAlive: Bool { status == 200 && body == Data("alive\n".utf8) }

  /// Whether it is the server that answers, and its store with it.
  fileprivate var isOfServer: Bool {
    ![502, 503, 504].contains(status) && (isJSON || status == 204 || status == 304)
  }

  /// How far the clock of who answered was ahead of ours, which said this; `nil` where it doesn't say.
  fileprivate func clockLead(at ours: Date) -> TimeSpan? {
    // Its date is cut to the second.
    headers["date"].flatMap(RetryAfter.date).map { date in
      .seconds(Int(bounded: (date.timeIntervalSince(ours) + 0.5).rounded()))
    }
  }

  /// The wish of the server, or of a proxy in front of it.
  fileprivate var retryAfter: TimeSpan? {
    headers["retry-after"].flatMap { Int($0) }.flatMap { $0 >= 0 ? .seconds(min($0, 3_600)) : nil }
  }
}

extension ServerExchange.Answer {
  /// Whether the same may be taken in a moment. Who has tried too many passwords or codes has to wait.
  fileprivate var isRefusedForNow: Bool {
    [502, 503, 504].contains(status)
      || status == 429
        && !(isJSON && ServerRefusal.isOfRule(ServerAnswer(status: status, body: body)))
  }
}

extension ServerExchange.Fault {
  /// Whether it makes sense to send the same again.
  fileprivate var mayPass: Bool { [.lost, .timedOut, .unreachable].contains(self) }

  /// Whether the server may have the request.
  fileprivate var mayHaveArrived: Bool { [.lost, .timedOut].contains(self) }
}

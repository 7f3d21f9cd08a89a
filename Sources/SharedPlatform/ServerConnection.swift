package import Clients
import Cryptography
import Curl
package import Domain
package import FoundationEssentials
package import SQLite
package import ServerProtocol
import Synchronization

/// The connection of an app to its server, over HTTPS. It sends the session's token with every
/// request, repeats a write whose answer was lost under the same key, and waits for changes for all
/// observers together.
package final class ServerConnection: Sendable {
  package struct Limits: Sendable {
    /// The time limit for connecting.
    package var connect = Duration.seconds(3)
    package var read = Duration.seconds(8)
    /// The time limit for a write with its repetitions.
    package var write = Duration.seconds(12)
    /// How long a person waits for the answer to a check-in that is kept anyway.
    package var checkIn = Duration.seconds(4)
    /// The time limit for waiting for a change: longer than a server lets a device wait.
    package var poll = Duration.seconds(65)
    /// How often a server must show that it is alive while its answer is awaited.
    package var pulse = Duration.seconds(15)
    /// The time limit for that.
    package var beat = Duration.seconds(4)
    /// The largest size of an answer, in bytes.
    package var answer = 16 << 20
    /// How often a request is sent again.
    package var retries = RetryPolicy(maxRetries: 2, firstDelay: 0.25, factor: 2, jitter: 0.1)
    package init() {}
  }

  /// The storage of the session's token.
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
  let keeper: TokenKeeper
  let limits: Limits
  let http: HTTPClient
  let pages: PageCache?
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let reach: ServerReach
  let serverClock: ServerClock
  /// What waits for the server; `nil` if nothing is kept.
  let outbox: OutboxFolder?
  /// The check-ins of this program whose first answer is awaited.
  let beingSent = Mutex<Set<UUID>>([])
  let isShowingLastKnown = Atomic(false)
  let held: Mutex<String?>
  /// The code of the invitation that is sent along.
  let invite: Mutex<String?>
  /// The codes of invitations that the server hasn't confirmed yet.
  let invitationCodes = Mutex<[Roles: SecureToken]>([:])
  private let feed: ChangeFeed

  /// - Parameters:
  ///   - device: The name of this machine in the list of sessions.
  ///   - invite: The code of an invitation, for creating an account.
  ///   - pages: The cache of its answers; `nil` for none.
  ///   - references: Keeps what is known of the server's time.
  ///   - outbox: The folder of what waits for the server; `nil` if nothing is kept.
  ///   - uptime: How long this machine has been running; `nil` if nobody knows.
  /// - Throws: An error if the token can't be read.
  package init(
    to server: JoinedServer, device: String, invite: String? = nil, tokens: TokenKeeper,
    pages: PageCache? = nil, references: ServerClock.Keeper = .init(),
    outbox: OutboxFolder? = nil, limits: Limits = Limits(),
    http: HTTPClient = .live(keepingConnections: 4),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) throws(KeychainError) {
    self.server = server
    self.device = device
    self.invite = Mutex(invite)
    keeper = tokens
    self.limits = limits
    self.http = http
    self.pages = pages
    self.outbox = outbox
    self.clock = clock
    self.now = now
    let serverClock = ServerClock(of: server.url, keeper: references, now: now, uptime: uptime)
    self.serverClock = serverClock
    reach = ServerReach(clock: clock) { serverClock.nowOnServer }
    held = Mutex(try tokens.load())
    feed = ChangeFeed(clock: clock)
  }

  func request(
    _ method: HTTPRequest.Method, _ target: String, headers: [(name: String, value: String)] = [],
    body: Data = Data(), within total: Duration
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method: method, url: server.url + target, headers: headers, body: body,
      limits: .init(connect: min(limits.connect, total), total: total), reach: .anywhere)
    if let fingerprint = server.fingerprint { request.trust = .key(fingerprint: fingerprint) }
    request.replyLimit = limits.answer
    request.acceptsCutReplies = false
    request.isCancellable = true
    return request
  }

  func answer(to request: HTTPRequest) async throws(NetworkError) -> HTTPReply {
    do throws(HTTPFault) { return try await carry(request) } catch { throw networkError(error) }
  }

  /// Sends a request, and records whether the server answers.
  func carry(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPReply {
    let attempt = reach.begin()
    do throws(HTTPFault) {
      let answer = try await http.send(request).reply()
      note(request, status: answer.status)
      if answer.isOfServer {
        serverClock.note(lead: answer.clockLead(at: now()))
        reach.answered()
      } else {
        reach.failed(attempt)
      }
      return answer
    } catch {
      if error != .cancelled { reach.failed(attempt) }
      note(request, cause: error)
      throw error
    }
  }

  private func note(_ request: HTTPRequest, status: Int? = nil, cause: HTTPFault? = nil) {
    let path = request.url.dropFirst(server.url.count).prefix { $0 != "?" }
    EndpointCall.noteRequest(
      "\(request.method.rawValue) \(Route.template(of: path, request.method))", status: status,
      cause: cause?.summary)
  }

  func networkError(_ fault: HTTPFault) -> NetworkError {
    ErrorTransformer.networkError(for: fault, from: server.name)
  }

  /// Returns the headers of every request.
  func headers(_ token: String?) -> [(name: String, value: String)] {
    // The server takes at most 64 letters, and a control character would make every request fail.
    let device = String(device.unicodeScalars.filter { $0.isASCII && $0.value > 31 }.prefix(64))
    return [
      ("Content-Type", "application/json"), ("LifeSignal-Device", device),
      (Route.appHeader, Version.current),
    ]
      + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
      + (invite.withLock(\.self).map { [("LifeSignal-Invite", $0)] } ?? [])
  }
}

extension ServerConnection: ServerTransport {
  package func send(_ request: ServerRequest) async throws(NetworkError) -> ServerAnswer {
    let token = held.withLock { $0 }
    let answer = try await send(request, token)
    guard let token, endsSession(answer, to: request) else { return answer }
    if let current = noteEnd(of: token, by: answer) { return try await send(request, current) }
    return answer
  }

  /// Notes that an answer says that a session is over.
  /// - Returns: The token of another session, which began on this machine since; `nil` for none.
  func noteEnd(of token: String, by answer: ServerAnswer) -> String? {
    guard answer.status == 401 else {
      // Requests that need a session go on failing, with the reason. The pages of the session are
      // deleted now.
      held.withLock { _ in pages?.removeAll(of: owner(token)) }
      return nil
    }
    // Another program may have signed in here since.
    if let current = try? keeper.load(), current != token {
      hold(current)
      return current
    }
    hold(nil)
    try? keeper.keep(nil)
    return nil
  }

  /// Returns whether an answer says that the session is over.
  func endsSession(_ answer: ServerAnswer, to request: ServerRequest) -> Bool {
    if [401, 403].contains(answer.status) { return ServerRefusal.endsSession(answer) }
    guard answer.status == 200, request.path.hasSuffix("/auth"),
      let state = try? WireCoding.decodeAnswer(AuthState.self, from: answer.body)
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
}

import Clients
import Domain
import FoundationEssentials
import Glibc
import ServerProtocol
import Store
import Synchronization
package import Web

extension Server {
  /// Listens at the address in the settings, until the returned web server is released.
  /// - Parameters:
  ///   - connectionsPerClient: The largest number of connections from one address, unless they come
  ///     through a proxy; 0 for any number.
  ///   - certificate: A certificate and its key in PEM; `nil` if a proxy provides encryption.
  ///   - requestTimeout: The time after which an incomplete request is cut off, at the latest after
  ///     twice as long.
  ///   - proxy: The address of a proxy in front of the server that names the clients whose requests
  ///     it passes on.
  package func listen(
    certificate: (certificate: String, key: String)? = nil, proxy: String? = nil,
    requestTimeout: Duration = .seconds(10), connectionsPerClient: UInt32 = 1_024
  ) throws(WebServer.Failure) -> WebServer {
    var limits = WebServer.Limits()
    limits.connections = Self.openFiles() / 2
    limits.connectionsPerClient = connectionsPerClient
    limits.body = BodyParts.partSize
    limits.silence = 30
    limits.request = requestTimeout
    var programs = WebServer.Programs(headers: Self.headers) { [weak self] request, answer in
      self?.park(request, answer) ?? false
    }
    programs.certificate = certificate
    programs.sharesPort = certificate != nil
    return try WebServer(
      host: settings.host, port: settings.port, proxy: proxy, isEncrypted: !settings.isPlain,
      limits: limits,
      unavailable: refusal(ServerRefusal(503, "The server is busy or ending.", retryAfter: 1)),
      refusal: { status in
        let message = status == 413 ? "That is too much data." : "That isn't possible here."
        let refusal = ServerRefusal(status, message)
        return WebResponse(status: status, data: refusal.body, type: Self.json)
      }, programs: programs,
      handler: { [weak self] request in
        await self?.answer(request) ?? WebResponse(status: 503, data: Data(), type: Self.json)
      })
  }

  /// Shuts down in order: devices that wait for changes are answered at once, requests that were
  /// received are answered, and nothing more is accepted.
  package func end(_ web: WebServer, within limit: Duration) async {
    web.refuseMore()
    hub.end()
    await web.finish(within: limit)
  }

  /// Raises the limit on open files of this process as far as possible, and returns it.
  private static func openFiles() -> UInt32 {
    var files = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &files) == 0 else { return 1_024 }
    files.rlim_cur = min(files.rlim_max, 131_072)
    setrlimit(kind, &files)
    return UInt32(clamping: files.rlim_cur)
  }

  /// Makes a device wait for the next change of its account: `GET /v1/changes?after=CURSOR`.
  private func park(
    _ request: WebRequest, _ answer: @escaping WebServer.ParkedAnswer
  ) -> Bool {
    guard request.path == "/v1/changes", request.method == .get else { return false }
    let arrival = Arrivals.Arrival(
      token: Call.token(of: request), known: request.query["after"], answer: answer)
    guard arrivals.add(arrival) else { return true }
    Task { [self] in
      var next: Arrivals.Arrival? = arrival
      while let arrival = next {
        await admit(arrival)
        next = arrivals.next()
      }
    }
    return true
  }

  private func admit(_ arrival: Arrivals.Arrival) async {
    let reply = { (response: WebResponse) in arrival.answer { _ in response } }
    let session = RemoteSession(token: arrival.token, device: "")
    let known = arrival.known?.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    if hub.knowsNoWatch { await checkMonitors() }
    await store.onFreeLane { clients in
      do throws(ClientError) {
        let notificationCount = hub.notificationCount
        let store = clients.with(session).store
        switch try await store.waiting(after: known?.first) {
        case .nobody: reply(refusal(.notAuthenticated))
        case .changed(let cursor): reply(hub.response(after: cursor))
        case .account(let account):
          hub.add(
            account, since: notificationCount, watch: known?.last, now: clock.now, arrival.answer)
        }
      } catch {
        reply(refusal(error))
      }
    }
  }
}

/// Devices that have come to wait and aren't admitted yet. After a server's start all come at once.
/// Only a few are admitted at a time, so that other requests don't wait for the rest, and the rest
/// takes little memory.
final class Arrivals: Sendable {
  struct Arrival: Sendable {
    var token: String?
    var known: String?
    var answer: WebServer.ParkedAnswer
  }

  private struct Contents {
    /// The devices in order; one that is taken is released at once.
    var line: [Arrival?] = []
    var head = 0
    var tasks = 0
  }

  /// How many are admitted at a time.
  private let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) { self.limit = limit }

  /// Adds a device.
  /// - Returns: Whether the caller must admit it now, in a task that goes on with ``next()``.
  func add(_ arrival: Arrival) -> Bool {
    contents.withLock { contents in
      guard contents.tasks == limit else {
        contents.tasks += 1
        return true
      }
      contents.line.append(arrival)
      return false
    }
  }

  /// Returns the next device to admit; `nil` ends the task.
  func next() -> Arrival? {
    contents.withLock { contents in
      guard contents.head < contents.line.count else {
        contents.line = []
        contents.head = 0
        contents.tasks -= 1
        return nil
      }
      defer { contents.head += 1 }
      return contents.line[contents.head].take()
    }
  }
}

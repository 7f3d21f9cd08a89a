import Glibc
import Synchronization

/// The state that all requests of a server share.
final class RequestRegistry: Sendable {
  let handler: WebServer.Handler
  let proxy: String?
  let isEncrypted: Bool
  let limits: WebServer.Limits
  let clock: any Clock<Duration>
  let unavailable: WebResponse
  let refusal: @Sendable (Int) -> WebResponse
  let programs: WebServer.Programs?

  private struct Contents {
    /// The requests whose answers are being made; `nil` once the server ends.
    var waiting: [ObjectIdentifier: Exchange]? = [:]
    /// The handlers' tasks, and how many checks have found each of them at work.
    var working: [ObjectIdentifier: (work: Task<Void, Never>, looks: Int)] = [:]
    /// The sockets of incomplete requests, and whether the last sweep saw them.
    var receiving: [Int32: Bool] = [:]
    /// The client of each open socket.
    var clients: [Int32: String] = [:]
    /// The number of open sockets of each client.
    var connections: [String: UInt32] = [:]
    /// The number of requests between their header and their answer.
    var requests = 0
    var refusesMore = false
  }

  private let contents = Mutex(Contents())

  init(
    handler: @escaping WebServer.Handler, proxy: String?, isEncrypted: Bool,
    limits: WebServer.Limits,
    clock: any Clock<Duration>, unavailable: WebResponse,
    refusal: @escaping @Sendable (Int) -> WebResponse, programs: WebServer.Programs?
  ) {
    self.programs = programs
    self.handler = handler
    self.proxy = proxy
    self.isEncrypted = isEncrypted
    self.limits = limits
    self.clock = clock
    self.unavailable = unavailable
    self.refusal = refusal
  }

  /// Starts to make the answer to a request, while its connection sleeps.
  /// - Returns: `false` once the server ends.
  func answer(_ request: WebRequest, _ exchange: Exchange, on connection: Connection) -> Bool {
    let id = ObjectIdentifier(exchange)
    let isOpen = contents.withLock { contents in
      contents.receiving[connection.socket] = nil
      guard contents.waiting != nil else { return false }
      contents.waiting?[id] = exchange
      // Within the lock: the server's end wakes only connections that sleep already.
      exchange.sleep(connection)
      return true
    }
    guard isOpen else { return false }
    let isParked =
      programs?.park(request) { [self] response in
        exchange.answer(response)
        contents.withLock { _ = $0.waiting?.removeValue(forKey: ObjectIdentifier(exchange)) }
      } ?? false
    if isParked { return true }
    contents.withLock { contents in
      contents.working[id] = (
        Task {
          exchange.answer(await handler(request))
          self.contents.withLock { contents in
            contents.working[id] = nil
            contents.waiting?[id] = nil
          }
        }, 0
      )
    }
    return true
  }

  /// Answers requests whose handlers take too long.
  func answerLate() {
    contents.withLock { contents in
      for id in contents.working.keys { contents.working[id]?.looks += 1 }
      for (id, working) in contents.working where working.looks > 2 {
        // Within the lock, so that a server that ends isn't gone before.
        contents.waiting?.removeValue(forKey: id)?.answer(unavailable)
        contents.working[id] = nil
        working.work.cancel()
      }
    }
  }

  // MARK: Shutting down

  func refuseMore() { contents.withLock { $0.refusesMore = true } }

  var requests: Int { contents.withLock(\.requests) }

  /// Begins a request.
  /// - Returns: `false` if no more are accepted.
  func begins() -> Bool {
    contents.withLock { contents in
      guard !contents.refusesMore else { return false }
      contents.requests += 1
      return true
    }
  }

  func completes() { contents.withLock { $0.requests -= 1 } }

  /// Answers every waiting request: the library can't end while connections sleep.
  func stop() {
    let waiting = contents.withLock { contents in
      defer { contents.waiting = nil }
      return contents.waiting ?? [:]
    }
    for exchange in waiting.values { exchange.answer(unavailable) }
  }

  // MARK: Connections of one client

  /// Returns whether a client can have another connection. The library counts whole addresses, of
  /// which an IPv6 customer has more than it can count.
  func accepts(_ address: String) -> Bool {
    guard proxy == nil else { return true }
    let client = ClientAddress.name(of: address) ?? address
    let limit = limits.connectionsPerClient
    return limit == 0 || contents.withLock { $0.connections[client, default: 0] < limit }
  }

  func opens(_ socket: Int32, from address: String) {
    let client = ClientAddress.name(of: address) ?? address
    contents.withLock { contents in
      contents.clients[socket] = client
      contents.connections[client, default: 0] += 1
    }
  }

  // MARK: Incomplete requests

  func receives(on socket: Int32) { contents.withLock { $0.receiving[socket] = false } }

  /// Forgets a socket. The library closes it only afterwards, so that a reused one is never shut
  /// down.
  func closes(_ socket: Int32) {
    contents.withLock { contents in
      contents.receiving[socket] = nil
      guard let client = contents.clients.removeValue(forKey: socket),
        let count = contents.connections[client]
      else { return }
      contents.connections[client] = count > 1 ? count - 1 : nil
    }
  }

  /// Cuts off requests that were already incomplete at the last sweep.
  func sweep() {
    contents.withLock { contents in
      for (socket, isOld) in contents.receiving {
        if isOld { shutdown(socket, Int32(SHUT_RDWR)) }
        contents.receiving[socket] = true
      }
    }
  }
}

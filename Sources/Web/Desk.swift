import Glibc
import Synchronization

/// What all requests of a server share.
final class Desk: Sendable {
  let handler: WebServer.Handler
  let proxy: String?
  let isEncrypted: Bool
  let limits: WebServer.Limits
  let clock: any Clock<Duration>
  let unavailable: WebResponse
  let refusal: @Sendable (Int) -> WebResponse
  let programs: WebServer.Programs?

  private struct Contents {
    /// Requests whose answers are being made; `nil` once the server ends.
    var waiting: [ObjectIdentifier: Exchange]? = [:]
    /// Who makes them, where it is the handler, and how many looks have found it at that.
    var working: [ObjectIdentifier: (work: Task<Void, Never>, looks: Int)] = [:]
    /// The sockets of requests that are not whole, and whether the last sweep saw them.
    var receiving: [Int32: Bool] = [:]
    /// Whose each open socket is.
    var clients: [Int32: String] = [:]
    /// How many sockets each client has open.
    var connections: [String: UInt32] = [:]
    /// Requests from their header until their answer is sent.
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

  /// Has the answer to a request made while its connection sleeps.
  /// - Returns: `false` once the server ends.
  func answer(_ request: WebRequest, _ exchange: Exchange, on connection: Connection) -> Bool {
    let id = ObjectIdentifier(exchange)
    let isOpen = contents.withLock { contents in
      contents.receiving[connection.socket] = nil
      guard contents.waiting != nil else { return false }
      contents.waiting?[id] = exchange
      // Within the lock: the server's end wakes only what sleeps already.
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

  /// Answers for a handler that takes too long.
  func answerLate() {
    contents.withLock { contents in
      for id in contents.working.keys { contents.working[id]?.looks += 1 }
      for (id, working) in contents.working where working.looks > 2 {
        // Within the lock: a server that ends must not be gone before.
        contents.waiting?.removeValue(forKey: id)?.answer(unavailable)
        contents.working[id] = nil
        working.work.cancel()
      }
    }
  }

  // MARK: The end

  func refuseMore() { contents.withLock { $0.refusesMore = true } }

  var requests: Int { contents.withLock(\.requests) }

  /// - Returns: `false` where no more are taken.
  func begins() -> Bool {
    contents.withLock { contents in
      guard !contents.refusesMore else { return false }
      contents.requests += 1
      return true
    }
  }

  func completes() { contents.withLock { $0.requests -= 1 } }

  /// Wakes every connection: the library ends only without sleeping ones.
  func stop() {
    let waiting = contents.withLock { contents in
      defer { contents.waiting = nil }
      return contents.waiting ?? [:]
    }
    for exchange in waiting.values { exchange.answer(unavailable) }
  }

  // MARK: Connections of one client

  /// Whether a client may have one more connection. The library counts whole addresses, of which an IPv6
  /// customer has more than it can count.
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

  // MARK: Requests that never become whole

  func receives(on socket: Int32) { contents.withLock { $0.receiving[socket] = false } }

  /// The library closes the socket afterwards, so that no other's is ever shut down.
  func closes(_ socket: Int32) {
    contents.withLock { contents in
      contents.receiving[socket] = nil
      guard let client = contents.clients.removeValue(forKey: socket),
        let count = contents.connections[client]
      else { return }
      contents.connections[client] = count > 1 ? count - 1 : nil
    }
  }

  /// Cuts off requests that the sweep before this one saw already.
  func sweep() {
    contents.withLock { contents in
      for (socket, isOld) in contents.receiving {
        if isOld { shutdown(socket, Int32(SHUT_RDWR)) }
        contents.receiving[socket] = true
      }
    }
  }
}

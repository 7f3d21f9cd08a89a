import CMicroHTTPD
import CMicroHTTPDShim
import Glibc
import Synchronization

/// Answers HTTP requests by libmicrohttpd, on a thread of its own, until it is released.
///
/// It speaks plain HTTP, where a web server in front of it brings encryption, or HTTPS. A connection sleeps while its
/// answer is made, so that a slow answer holds up no other.
public final class WebServer: Sendable {
  /// It could not listen, with the reason.
  public struct Failure: Error, Equatable {
    public var reason: String
  }

  /// How much anyone may take up.
  public struct Limits: Sendable {
    /// Connections at once: at most half of the files that the process may open, so that the store and the
    /// senders of messages have theirs.
    public var connections: UInt32
    /// Of those, how many from one client (``ClientAddress``); behind a proxy all come from its own address.
    public var connectionsPerClient: UInt32 = 64
    /// Bytes of a request's header, and what is kept of a connection.
    public var header = 16_384
    /// Bytes of a request's body.
    /// A passphrase of the longest kind fits, each byte of it written as three.
    public var body = 4_096
    /// Seconds without a byte after which a connection is closed.
    public var silence: UInt32 = 5
    /// A request that is not whole after this time, or at the latest after twice as long, is cut off.
    public var request = Duration.seconds(15)
    /// How long an answer may take, at the latest half as long again.
    public var answer = Duration.seconds(10)

    public init() {
      var files = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      connections = UInt32(clamping: min(1_024, files.rlim_cur / 2))
    }
  }

  /// What a server for programs has beyond one for browsers.
  public struct Programs: Sendable {
    /// The headers that a handler sees.
    public var headers: [String] = []
    /// A certificate and its key, both in PEM; `nil` for plain HTTP.
    public var certificate: (certificate: String, key: String)?
    /// Whether another server may listen at the same place, so that one can follow the other.
    public var sharesPort = false
    /// Takes a request that may wait for long, and answers it later, once; `false` for one that the handler
    /// answers. It is called on the server's thread, which it must not hold up. Such a request takes neither
    /// a task nor a timer.
    public var park: @Sendable (WebRequest, _ answer: @escaping ParkedAnswer) -> Bool

    public init(
      headers: [String] = [],
      park: @escaping @Sendable (WebRequest, @escaping ParkedAnswer) -> Bool = { _, _ in false }
    ) {
      self.headers = headers
      self.park = park
    }
  }

  public typealias Handler = @Sendable (WebRequest) async -> WebResponse
  /// Answers a request that was parked. What the answer needs of the request's query is read when it is made: the
  /// connection keeps it anyway, so that nobody else has to.
  public typealias ParkedAnswer = @Sendable (_ response: @escaping QueryResponse) -> Void
  /// Makes an answer from what follows the path of the request.
  public typealias QueryResponse = @Sendable (_ query: [String: String]) -> WebResponse

  /// The port on which it listens.
  public let port: Int
  // Set once. The library stops listening from any thread; `deinit`, which frees it, runs once and alone.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let desk: Unmanaged<Desk>
  private let sweeping: [Task<Void, Never>]
  /// The socket that takes no connections any more; -1 while it does.
  private let listener = Mutex<Int32>(-1)

  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address.
  ///   - port: 0 for one that is free.
  ///   - proxy: the address of a web server in front of it that says whose requests it passes on.
  ///   - isEncrypted: whether clients reach it by HTTPS, where the proxy does not say (X-Forwarded-Proto).
  ///   - unavailable: the answer where `handler` takes too long, or the server ends.
  ///   - refusal: the answer to a request with another method (405) or a body that is too large (413).
  ///   - programs: for one that programs speak to as well; `nil` for pages alone.
  /// - Throws: ``Failure`` when it cannot listen there.
  public init(
    host: String, port: Int, proxy: String? = nil, isEncrypted: Bool = false,
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(), unavailable: WebResponse,
    refusal: @escaping @Sendable (_ status: Int) -> WebResponse, programs: Programs? = nil,
    handler: @escaping Handler
  ) throws(Failure) {
    let desk = Desk(
      handler: handler, proxy: proxy, isEncrypted: isEncrypted || programs?.certificate != nil,
      limits: limits, clock: clock, unavailable: unavailable, refusal: refusal, programs: programs)
    self.desk = .passRetained(desk)
    let context = self.desk.toOpaque()
    errno = 0
    let daemon = Self.withSocketAddress(host, port) { address, _ in
      mhd_shim_start(
        address, acceptConnection, receiveRequest, requestCompleted, connectionChanged, context,
        limits.connections, limits.silence, limits.header, programs?.certificate?.certificate,
        programs?.certificate?.key, programs?.sharesPort == true ? 1 : 0)
    }
    guard let daemon else {
      let reason = errno == 0 ? "not an address" : String(cString: strerror(errno))
      self.desk.release()
      throw Failure(reason: "cannot listen on \(host):\(port) (\(reason))")
    }
    self.daemon = daemon
    self.port = Int(mhd_shim_port(daemon))
    // No request has a timer of its own: thousands come in the time that one may take.
    sweeping = [
      Task { [weak desk] in
        while (try? await clock.sleep(for: limits.request)) != nil { desk?.sweep() }
      },
      Task { [weak desk] in
        while (try? await clock.sleep(for: limits.answer / 2)) != nil { desk?.answerLate() }
      },
    ]
  }

  deinit {
    for task in sweeping { task.cancel() }
    desk.takeUnretainedValue().stop()
    MHD_stop_daemon(daemon)
    listener.withLock { if $0 >= 0 { close($0) } }
    desk.release()
  }

  /// Takes no connections any more, and refuses what still comes on those that are open. Requests that have
  /// come are answered.
  public func refuseMore() {
    desk.takeUnretainedValue().refuseMore()
    listener.withLock { listener in
      guard listener < 0 else { return }
      // The library's thread may still look at it: it is closed when that has ended.
      listener = MHD_quiesce_daemon(daemon)
      if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
    }
  }

  /// Whether so many requests have come whose answers are not sent.
  package func hasRequests(_ count: Int) -> Bool {
    desk.takeUnretainedValue().requests >= count
  }

  /// Waits until every request is answered, at most for a time.
  public func finish(within limit: Duration) async {
    let end = ContinuousClock.now + limit
    while hasRequests(1), ContinuousClock.now < end {
      guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
    }
  }

  /// Whether a key is a certificate's, both in PEM: the library starts with no other.
  package static func fits(key: String, certificate: String) -> Bool {
    func starts(_ certificate: String?, _ key: String?) -> Bool {
      let daemon = withSocketAddress("127.0.0.1", 0) { address, _ in
        mhd_shim_start(
          address, acceptConnection, receiveRequest, requestCompleted, connectionChanged, nil, 1, 1,
          4_096, certificate, key, 0)
      }
      MHD_stop_daemon(daemon)
      return daemon != nil
    }
    // Where it can't listen at all, that says nothing of the key.
    return starts(certificate, key) || !starts(nil, nil)
  }

  /// Whether a program listens there already. One that shares its port would share it with any other, too.
  package static func isTaken(host: String, port: Int) -> Bool {
    withSocketAddress(host, port) { address, length in
      let probe = socket(Int32(address.pointee.sa_family), Int32(SOCK_STREAM.rawValue), 0)
      guard probe >= 0 else { return nil }
      defer { close(probe) }
      var yes: Int32 = 1
      setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      return bind(probe, address, length) != 0 && errno == EADDRINUSE
    } ?? false
  }

  private static func withSocketAddress<Result>(
    _ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result?
  ) -> Result? {
    let port = UInt16(truncatingIfNeeded: port).bigEndian
    var short = sockaddr_in()
    short.sin_family = sa_family_t(AF_INET)
    short.sin_port = port
    if inet_pton(AF_INET, host, &short.sin_addr) == 1 {
      return withUnsafeBytes(of: &short) {
        body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
      }
    }
    var long = sockaddr_in6()
    long.sin6_family = sa_family_t(AF_INET6)
    long.sin6_port = port
    guard inet_pton(AF_INET6, host, &long.sin6_addr) == 1 else { return nil }
    return withUnsafeBytes(of: &long) {
      body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }
}

/// What all requests of a server share.
private final class Desk: Sendable {
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

/// One request from its header to its answer.
private final class Exchange: Sendable {
  private enum State: Sendable {
    case receiving(body: [UInt8])
    case sleeping(Connection)
    case answered(WebServer.QueryResponse)
  }

  private let state = Mutex(State.receiving(body: []))

  /// - Returns: `false` where there are too many bytes.
  func receive(_ bytes: UnsafeBufferPointer<CChar>, limit: Int) -> Bool {
    let bytes = bytes.map { UInt8(bitPattern: $0) }
    return state.withLock { state in
      guard case .receiving(let body) = state, body.count + bytes.count <= limit else {
        return false
      }
      state = .receiving(body: body + bytes)
      return true
    }
  }

  var body: [UInt8] {
    state.withLock { state in
      guard case .receiving(let body) = state else { return [] }
      return body
    }
  }

  var response: WebServer.QueryResponse? {
    state.withLock { state in
      guard case .answered(let response) = state else { return nil }
      return response
    }
  }

  func sleep(_ connection: Connection) {
    state.withLock { state in
      state = .sleeping(connection)
      MHD_suspend_connection(connection.pointer)
    }
  }

  func answer(_ response: WebResponse) { answer { _ in response } }

  /// The first answer wakes the connection; any other is late.
  func answer(_ response: @escaping WebServer.QueryResponse) {
    state.withLock { state in
      guard case .sleeping(let connection) = state else { return }
      state = .answered(response)
      MHD_resume_connection(connection.pointer)
    }
  }
}

/// Called by libmicrohttpd: once for a request's header, once for each part of its body, once when it is
/// whole, and again when its connection wakes. `state` is ours, empty at first.
private func receiveRequest(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let pointer, let path, let method, let bodySize, let state else { return .NO }
  let desk = Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue()
  let connection = Connection(pointer: pointer)
  let known: WebRequest.Method? =
    switch String(cString: method) {
    case "GET", "HEAD": .get
    case "POST": .post
    case "PUT" where desk.programs != nil: .put
    case "PATCH" where desk.programs != nil: .patch
    case "DELETE" where desk.programs != nil: .delete
    default: nil
    }
  guard let known else { return connection.send(desk.refusal(405)) }
  guard let kept = state.pointee else {
    guard connection.announcedBodySize <= desk.limits.body else {
      return connection.send(desk.refusal(413))
    }
    guard desk.begins() else {
      var answer = desk.unavailable
      answer.headers["Connection"] = "close"
      return connection.send(answer)
    }
    state.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeUnretainedValue()
  if let response = exchange.response { return connection.send(response(connection.query)) }
  if bodySize.pointee > 0 {
    let bytes = UnsafeBufferPointer(start: body, count: bodySize.pointee)
    // A client that sends more than it announced is not answered.
    guard exchange.receive(bytes, limit: desk.limits.body) else { return .NO }
    bodySize.pointee = 0
    return .YES
  }
  let peer = connection.peer
  var request = WebRequest(
    known, String(cString: path),
    client: ClientAddress.name(
      peer: peer, forwarded: connection.list("X-Forwarded-For"), proxy: desk.proxy),
    isEncrypted: ClientAddress.isEncrypted(
      peer: peer, forwarded: connection.list("X-Forwarded-Proto"), proxy: desk.proxy,
      byItself: desk.isEncrypted),
    body: exchange.body)
  if let programs = desk.programs {
    request.query = connection.query
    for name in programs.headers { request.headers[name] = connection.header(name) }
  }
  return desk.answer(request, exchange, on: connection) ? .YES : .NO
}

/// Called once for each request that `receiveRequest` began.
private func requestCompleted(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let context, let pointer, let kept = state?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(kept).release()
  let desk = Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue()
  desk.completes()
  // The next request on the same connection begins.
  desk.receives(on: Connection(pointer: pointer).socket)
}

/// Called before a connection begins, on the thread that all of them have.
private func acceptConnection(
  context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
  guard let context, let address else { return .NO }
  let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
    mhd_shim_name(address, $0.baseAddress, UInt32($0.count)) == 0
      ? "" : String(cString: $0.baseAddress!)
  }
  return Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue().accepts(name) ? .YES : .NO
}

/// Called when a connection begins, and before its socket is closed.
private func connectionChanged(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
  guard let context, let pointer else { return }
  let desk = Unmanaged<Desk>.fromOpaque(context).takeUnretainedValue()
  let connection = Connection(pointer: pointer)
  guard code == .CONNECTION_NOTIFY_STARTED else { return desk.closes(connection.socket) }
  desk.opens(connection.socket, from: connection.peer)
  desk.receives(on: connection.socket)
}

/// A connection of libmicrohttpd. It lives until its request is completed, which waits for it to wake.
///
/// `@unchecked Sendable`: off the server's thread it is only woken, which the library allows from any, and under its
/// exchange's lock, once.
private struct Connection: @unchecked Sendable {
  let pointer: OpaquePointer

  /// What the request's header says of its body; 0 for nothing.
  var announcedBodySize: Int { header("Content-Length").map { Int($0) ?? .max } ?? 0 }

  func header(_ name: String) -> String? {
    MHD_lookup_connection_value(pointer, .HEADER_KIND, name).map { String(cString: $0) }
  }

  /// All lines of a header as one list, in their order; `nil` for none.
  func list(_ name: String) -> String? {
    var lines = (name: name.lowercased(), values: [String]())
    withUnsafeMutablePointer(to: &lines) { lines in
      _ = MHD_get_connection_values(
        pointer, .HEADER_KIND,
        { context, _, name, value in
          guard let context, let name, let value else { return .YES }
          let lines = context.assumingMemoryBound(to: (name: String, values: [String]).self)
          if String(cString: name).lowercased() == lines.pointee.name {
            lines.pointee.values.append(String(cString: value))
          }
          return .YES
        }, lines)
    }
    return lines.values.isEmpty ? nil : lines.values.joined(separator: ",")
  }

  /// What follows the path. A name that comes twice has its last value.
  var query: [String: String] {
    var query: [String: String] = [:]
    withUnsafeMutablePointer(to: &query) { query in
      _ = MHD_get_connection_values(
        pointer, .GET_ARGUMENT_KIND,
        { context, _, name, value in
          guard let context, let name else { return .YES }
          context.assumingMemoryBound(to: [String: String].self).pointee[String(cString: name)] =
            value.map { String(cString: $0) } ?? ""
          return .YES
        }, query)
    }
    return query
  }

  var socket: Int32 { mhd_shim_socket(pointer) }

  /// The address that is connected; empty where that isn't known.
  var peer: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      mhd_shim_peer(pointer, text.baseAddress, UInt32(text.count)) == 0
        ? "" : String(cString: text.baseAddress!)
    }
  }

  /// Queues the answer to the request.
  func send(_ answer: WebResponse) -> MHD_Result {
    var body = answer.data.map(Array.init) ?? Array(answer.html.utf8)
    let response = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    let headers = answer.data == nil ? Self.headers : Self.dataHeaders
    for (name, value) in headers { MHD_add_response_header(response, name, value) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(pointer, UInt32(answer.status), response)
  }

  private static let dataHeaders = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
  ]

  /// Nothing is loaded, run, framed, kept, indexed, or told to where a link leads.
  private static var headers: [(String, String)] {
    [
      ("Content-Type", "text/html; charset=utf-8"),
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none';"
          + " base-uri 'none'"
      ),
      ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", "DENY"), ("X-Robots-Tag", "noindex, nofollow"),
      ("Cache-Control", "no-store"),
    ]
  }
}

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

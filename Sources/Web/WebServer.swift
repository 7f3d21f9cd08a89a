import CMicroHTTPD
import CMicroHTTPDShim
import Glibc
import Synchronization

/// An HTTP server with libmicrohttpd on its own thread, which runs until it is released.
///
/// It speaks HTTPS, or plain HTTP behind a proxy that provides encryption. A connection sleeps
/// while its answer is made, so that a slow answer holds up no other.
public final class WebServer: Sendable {
  /// The server could not listen.
  public struct Failure: Error, Equatable {
    public var reason: String
  }

  /// The limits on what clients can take up.
  public struct Limits: Sendable {
    /// The number of connections at once: at most half of the files that the process can open, so
    /// that the store and the senders of messages have theirs.
    public var connections: UInt32
    /// The number of connections from one client (``ClientAddress``). Behind a proxy, all come from
    /// its address.
    public var connectionsPerClient: UInt32 = 64
    /// The size of a request's header, and of a connection's memory, in bytes.
    public var header = 16_384
    /// The size of a request's body, in bytes. The longest passphrase fits, even with each of its
    /// bytes written as three.
    public var body = 4_096
    /// The number of seconds without a byte after which a connection is closed.
    public var silence: UInt32 = 5
    /// The time after which an incomplete request is cut off, at the latest after twice as long.
    public var request = Duration.seconds(15)
    /// The time limit for an answer, which takes effect at the latest after half as long again.
    public var answer = Duration.seconds(10)

    public init() {
      var files = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      connections = UInt32(clamping: min(1_024, files.rlim_cur / 2))
    }
  }

  /// The options of a server for programs as well as browsers.
  public struct Programs: Sendable {
    /// The headers that the handler sees.
    public var headers: [String] = []
    /// A certificate and its key, both in PEM; `nil` for plain HTTP.
    public var certificate: (certificate: String, key: String)?
    /// Whether another server can listen at the same place, so that one can follow the other.
    public var sharesPort = false
    /// Takes a request that may wait for long, and answers it later, once; returns `false` for a
    /// request that the handler answers. It is called on the server's thread, which it must not
    /// hold up. Such a request takes neither a task nor a timer.
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
  /// Answers a request that was parked. The answer can use the request's query, which the
  /// connection keeps anyway, so that nobody else has to.
  public typealias ParkedAnswer = @Sendable (_ response: @escaping QueryResponse) -> Void
  /// Makes an answer from the query of the request.
  public typealias QueryResponse = @Sendable (_ query: [String: String]) -> WebResponse

  /// The port on which it listens.
  public let port: Int
  // Set once. The library stops listening from any thread; `deinit`, which frees it, runs once and alone.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let registry: Unmanaged<RequestRegistry>
  private let sweeping: [Task<Void, Never>]
  /// The socket that accepts no more connections; -1 while it does.
  private let listener = Mutex<Int32>(-1)

  /// - Parameters:
  ///   - host: An IPv4 or IPv6 address.
  ///   - port: The port; 0 for any that is free.
  ///   - proxy: The address of a proxy in front of the server that names the clients whose requests
  ///     it passes on.
  ///   - isEncrypted: Whether clients reach it over HTTPS, if the proxy doesn't say
  ///     (X-Forwarded-Proto).
  ///   - unavailable: The answer if `handler` takes too long, or the server ends.
  ///   - refusal: The answer to a request with another method (405) or a body that is too large
  ///     (413).
  ///   - programs: The options for programs; `nil` for pages alone.
  /// - Throws: ``Failure`` if it can't listen there.
  public init(
    host: String, port: Int, proxy: String? = nil, isEncrypted: Bool = false,
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(), unavailable: WebResponse,
    refusal: @escaping @Sendable (_ status: Int) -> WebResponse, programs: Programs? = nil,
    handler: @escaping Handler
  ) throws(Failure) {
    let registry = RequestRegistry(
      handler: handler, proxy: proxy, isEncrypted: isEncrypted || programs?.certificate != nil,
      limits: limits, clock: clock, unavailable: unavailable, refusal: refusal, programs: programs)
    self.registry = .passRetained(registry)
    let context = self.registry.toOpaque()
    errno = 0
    let daemon = Self.withSocketAddress(host, port) { address, _ in
      mhd_shim_start(
        address, acceptConnection, receiveRequest, requestCompleted, connectionChanged, context,
        limits.connections, limits.silence, limits.header, programs?.certificate?.certificate,
        programs?.certificate?.key, programs?.sharesPort == true ? 1 : 0)
    }
    guard let daemon else {
      let reason = errno == 0 ? "not an address" : String(cString: strerror(errno))
      self.registry.release()
      throw Failure(reason: "cannot listen on \(host):\(port) (\(reason))")
    }
    self.daemon = daemon
    self.port = Int(mhd_shim_port(daemon))
    // There is no timer for each request: thousands arrive in the time that one can take.
    sweeping = [
      Task { [weak registry] in
        while (try? await clock.sleep(for: limits.request)) != nil { registry?.sweep() }
      },
      Task { [weak registry] in
        while (try? await clock.sleep(for: limits.answer / 2)) != nil { registry?.answerLate() }
      },
    ]
  }

  deinit {
    for task in sweeping { task.cancel() }
    registry.takeUnretainedValue().stop()
    MHD_stop_daemon(daemon)
    listener.withLock { if $0 >= 0 { close($0) } }
    registry.release()
  }

  /// Accepts no more connections, and refuses further requests on those that are open. Requests
  /// that were received are answered.
  public func refuseMore() {
    registry.takeUnretainedValue().refuseMore()
    listener.withLock { listener in
      guard listener < 0 else { return }
      // The library's thread may still use it: it is closed when that has ended.
      listener = MHD_quiesce_daemon(daemon)
      if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
    }
  }

  /// Returns whether at least this many requests were received whose answers aren't sent.
  package func hasRequests(_ count: Int) -> Bool {
    registry.takeUnretainedValue().requests >= count
  }

  /// Waits until every request is answered, or the time is up.
  public func finish(within limit: Duration) async {
    let end = ContinuousClock.now + limit
    while hasRequests(1), ContinuousClock.now < end {
      guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
    }
  }

  /// Returns whether a key belongs to a certificate, both in PEM.
  package static func fits(key: String, certificate: String) -> Bool {
    mhd_shim_fits(certificate, key) != 0
  }

  /// Returns whether a program listens there already. A server that shares its port would share it
  /// with any other program, too.
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

  static func withSocketAddress<Result>(
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

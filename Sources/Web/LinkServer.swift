import CMicroHTTPD
import CMicroHTTPDShim
public import Clients
import Domain
import Glibc

/// Serves the pages behind the links in messages, by libmicrohttpd on a thread of its own, until it is
/// released. It speaks plain HTTP; encryption is the part of a web server in front of it.
public final class LinkServer: Sendable {
  /// It could not listen, with the reason.
  public struct Failure: Error, Equatable {
    public var reason: String
  }

  /// The port on which it listens.
  public let port: Int
  // Set once; only `deinit`, which runs once and alone, uses it again.
  private nonisolated(unsafe) let daemon: OpaquePointer
  private let desk: Unmanaged<LinkDesk>

  /// At most so many connections at once.
  static let connectionLimit: UInt32 = 128
  /// A request's header, and what is kept of a connection, has to fit.
  static let memoryLimit = 16_384
  /// A form with one button has nothing to say.
  static let bodyLimit = 1_024

  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address.
  ///   - port: 0 for one that is free.
  ///   - proxy: the address of a web server in front of it that says whose requests it passes on.
  ///   - timeout: after so many seconds without a word a connection is closed.
  /// - Throws: ``Failure`` when it cannot listen there.
  public init(
    host: String, port: Int, proxy: String? = nil, service: LinkService, dateClient: DateClient,
    timeout: UInt32 = 5
  ) throws(Failure) {
    let handler = LinkHandler(service: service, dateClient: dateClient)
    desk = .passRetained(LinkDesk(handler: handler, proxy: proxy))
    let context = desk.toOpaque()
    errno = 0
    let daemon = Self.withSocketAddress(host, port) { address in
      mhd_shim_start(
        address, serveRequest, context, Self.connectionLimit, timeout, Self.memoryLimit)
    }
    guard let daemon else {
      let reason = errno == 0 ? "not an address" : String(cString: strerror(errno))
      desk.release()
      throw Failure(reason: "the links' server cannot listen on \(host):\(port) (\(reason))")
    }
    self.daemon = daemon
    self.port = Int(mhd_shim_port(daemon))
  }

  deinit {
    // Waits until the last request has its answer.
    MHD_stop_daemon(daemon)
    desk.release()
  }

  private static func withSocketAddress(
    _ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>) -> OpaquePointer?
  ) -> OpaquePointer? {
    let port = UInt16(truncatingIfNeeded: port).bigEndian
    var short = sockaddr_in()
    short.sin_family = sa_family_t(AF_INET)
    short.sin_port = port
    if inet_pton(AF_INET, host, &short.sin_addr) == 1 {
      return withUnsafeBytes(of: &short) {
        body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self))
      }
    }
    var long = sockaddr_in6()
    long.sin6_family = sa_family_t(AF_INET6)
    long.sin6_port = port
    guard inet_pton(AF_INET6, host, &long.sin6_addr) == 1 else { return nil }
    return withUnsafeBytes(of: &long) {
      body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self))
    }
  }
}

/// What a request needs to be answered.
private final class LinkDesk: Sendable {
  let handler: LinkHandler
  let proxy: String?

  init(handler: LinkHandler, proxy: String?) {
    self.handler = handler
    self.proxy = proxy
  }
}

/// Called by libmicrohttpd: once for a request's header, once for each part of its body, and once when
/// it is whole. `state` is ours, empty at first; it counts the body's bytes from 1.
private func serveRequest(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let bodySize, let state else {
    return .NO
  }
  let known: LinkHandler.Method? =
    switch String(cString: method) {
    case "GET", "HEAD": .get
    case "POST": .post
    default: nil
    }
  guard let known else { return connection.send(.wrongMethod) }
  guard let count = state.pointee.map({ Int(bitPattern: $0) }) else {
    guard connection.announcedBodySize <= LinkServer.bodyLimit else {
      return connection.send(.tooLarge)
    }
    state.pointee = UnsafeMutableRawPointer(bitPattern: 1)
    return .YES
  }
  if bodySize.pointee > 0 {
    let total = count + bodySize.pointee
    // Whoever sends more than they announced is not answered.
    guard total <= LinkServer.bodyLimit else { return .NO }
    state.pointee = UnsafeMutableRawPointer(bitPattern: total)
    bodySize.pointee = 0
    return .YES
  }
  let desk = Unmanaged<LinkDesk>.fromOpaque(context).takeUnretainedValue()
  let client = LinkClient.name(
    peer: connection.peer, forwarded: connection.header("X-Forwarded-For"), proxy: desk.proxy)
  return connection.send(
    desk.handler.page(for: known, path: String(cString: path), client: client))
}

extension OpaquePointer {
  /// What the request's header says of its body; 0 for nothing.
  fileprivate var announcedBodySize: Int {
    header("Content-Length").map { Int($0) ?? .max } ?? 0
  }

  fileprivate func header(_ name: String) -> String? {
    MHD_lookup_connection_value(self, .HEADER_KIND, name).map { String(cString: $0) }
  }

  /// The address of whoever is connected; empty where that cannot be told.
  fileprivate var peer: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      mhd_shim_peer(self, text.baseAddress, UInt32(text.count)) == 0
        ? "" : String(cString: text.baseAddress!)
    }
  }

  /// Queues a page as the answer to the request.
  fileprivate func send(_ page: LinkPage) -> MHD_Result {
    var html = Array(page.html.utf8)
    let response = MHD_create_response_from_buffer(html.count, &html, .RESPMEM_MUST_COPY)
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in Self.headers { MHD_add_response_header(response, name, value) }
    if page.status == 429 { MHD_add_response_header(response, "Retry-After", "60") }
    if page.status == 405 { MHD_add_response_header(response, "Allow", "GET, HEAD, POST") }
    return MHD_queue_response(self, UInt32(page.status), response)
  }

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

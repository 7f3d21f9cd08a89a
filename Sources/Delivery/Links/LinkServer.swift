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
  private let handler: Unmanaged<LinkHandler>

  /// At most so many connections at once.
  static let connectionLimit: UInt32 = 128
  /// A request's header, and what is kept of a connection, has to fit.
  static let memoryLimit = 16_384
  /// A form with one button has nothing to say.
  static let bodyLimit = 1_024

  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address.
  ///   - port: 0 for one that is free.
  ///   - timeout: after so many seconds without a word a connection is closed.
  /// - Throws: ``Failure`` when it cannot listen there.
  public convenience init(
    host: String, port: Int, service: LinkService, dateClient: DateClient, timeout: UInt32 = 5
  ) throws(Failure) {
    try self.init(
      host: host, port: port, handler: LinkHandler(service: service, dateClient: dateClient),
      timeout: timeout)
  }

  init(host: String, port: Int, handler: LinkHandler, timeout: UInt32) throws(Failure) {
    self.handler = .passRetained(handler)
    let context = self.handler.toOpaque()
    errno = 0
    let daemon = Self.withSocketAddress(host, port) { address in
      mhd_shim_start(
        address, serveRequest, context, Self.connectionLimit, timeout, Self.memoryLimit)
    }
    guard let daemon else {
      let reason = errno == 0 ? "not an address" : String(cString: strerror(errno))
      self.handler.release()
      throw Failure(reason: "the links' server cannot listen on \(host):\(port) (\(reason))")
    }
    self.daemon = daemon
    self.port = Int(mhd_shim_port(daemon))
  }

  deinit {
    // Waits until the last request has its answer.
    MHD_stop_daemon(daemon)
    handler.release()
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
  let handler = Unmanaged<LinkHandler>.fromOpaque(context).takeUnretainedValue()
  return connection.send(handler.page(for: known, path: String(cString: path)))
}

extension OpaquePointer {
  /// What the request's header says of its body; 0 for nothing.
  fileprivate var announcedBodySize: Int {
    guard let text = MHD_lookup_connection_value(self, .HEADER_KIND, "Content-Length") else {
      return 0
    }
    return Int(String(cString: text)) ?? .max
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

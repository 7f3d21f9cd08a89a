import CMicroHTTPD
import CMicroHTTPDShim
import Glibc

/// A connection of libmicrohttpd. It lives until its request is completed, which can't happen while
/// it sleeps.
///
/// `@unchecked Sendable`: off the server's thread it is only woken, which the library allows on any
/// thread, and only once, under its exchange's lock.
struct Connection: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The size of the body according to the request's header; 0 for none.
  var announcedBodySize: Int { header("Content-Length").map { Int($0) ?? .max } ?? 0 }

  /// Whether the header says only once how long the body is. Of two ways, a proxy in front may
  /// believe the other one, and take a part of this body for the next person's request (RFC 9112,
  /// 6.3).
  var hasOneLength: Bool {
    let (lengths, codings) = (values("Content-Length"), values("Transfer-Encoding"))
    switch (lengths.count, codings.count) {
    case (0, 0): return true
    case (1, 0):
      return !lengths[0].isEmpty && lengths[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
    case (0, 1): return codings[0].lowercased() == "chunked"
    default: return false
    }
  }

  func header(_ name: String) -> String? {
    MHD_lookup_connection_value(pointer, .HEADER_KIND, name).map { String(cString: $0) }
  }

  /// Returns all lines of a header as one list, in order; `nil` for none.
  func list(_ name: String) -> String? {
    let values = values(name)
    return values.isEmpty ? nil : values.joined(separator: ",")
  }

  /// Returns the lines of a header, in order.
  private func values(_ name: String) -> [String] {
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
    return lines.values
  }

  /// The query. A name that occurs twice has its last value.
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

  /// The connected address; empty if it isn't known.
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

  /// The headers of a page: nothing is loaded, run, framed, cached or indexed, and links send no
  /// referrer.
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

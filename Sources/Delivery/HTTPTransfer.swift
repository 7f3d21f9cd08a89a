import CCurlShim
import Curl
import Domain
import Glibc
import System

/// One HTTP request, made by libcurl on the calling thread: no redirects, no cookies, no proxy,
/// certificates verified, and a limit on everything.
///
/// libcurl's callbacks run on that thread, inside ``run(_:settings:)``, so no other thread sees an
/// instance.
final class HTTPTransfer {
  struct Settings: Equatable, Sendable {
    /// A file of certificates to trust instead of the system's; for tests.
    var certificateAuthority: String?
    var limits: TransferLimits
    /// Whether the request can reach addresses in private networks.
    var reachesPrivate: Bool
    /// Whether it can reach this machine, if the address names it.
    var reachesThisMachine: Bool

    /// - Parameter staysOutside: Whether only addresses can be reached that everybody can.
    init(
      certificateAuthority: String? = nil, limits: TransferLimits = .init(),
      reachesPrivate: Bool = true, staysOutside: Bool = false
    ) {
      self.certificateAuthority = certificateAuthority
      self.limits = limits
      self.reachesPrivate = reachesPrivate && !staysOutside
      reachesThisMachine = !staysOutside
    }
  }

  /// The largest reply to read, for header and body each, in bytes.
  static let replyLimit = 65_536

  /// Makes a request on a thread of its own. Cancelling the task doesn't interrupt it.
  static func result(of request: HTTPRequest, settings: Settings = .init()) async -> HTTPResult {
    await OwnThread.run { handOver in handOver(run(request, settings: settings)) }
      ?? .failed(.notSent(.init(cause: .noConnection, text: "no thread could be started")))
  }

  /// - Parameter makeHandle: Creates the libcurl handle; returns `nil` if out of memory.
  static func run(
    _ request: HTTPRequest, settings: Settings,
    makeHandle: () -> UnsafeMutableRawPointer? = { curl_shim_easy_init() }
  ) -> HTTPResult {
    let unusable = { (reason: String) in HTTPResult.failed(.unusable(reason)) }
    // Memory may be available later, so this counts as retryable.
    let unstarted = HTTPResult.failed(
      .notSent(.init(cause: .noConnection, text: "libcurl could not be started")))
    // libcurl must be ready before it parses the address.
    guard CurlLibrary.isReady else { return unstarted }
    guard let target = Target(request.url) else { return unusable("the address cannot be used") }
    let transfer = HTTPTransfer(
      isThisMachine: target.isThisMachine && settings.reachesThisMachine,
      reachesPrivate: settings.reachesPrivate)
    // The callbacks hold `transfer` unretained, and the last ones come from `curl_easy_cleanup`.
    // That is deferred later, so it runs before this.
    defer { withExtendedLifetime(transfer) {} }
    guard let handle = makeHandle() else { return unstarted }
    defer { curl_shim_easy_cleanup(handle) }
    // Don't ask whether the server wants the body: one that doesn't answer would cost a second.
    var list = curl_shim_slist_append(nil, "Expect:")
    defer { curl_shim_slist_free_all(list) }
    for (name, value) in [("User-Agent", "LifeSignal")] + request.headers {
      guard !(name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        return unusable("a header field cannot be sent")
      }
      guard let longer = curl_shim_slist_append(list, "\(name): \(value)") else { return unstarted }
      list = longer
    }
    var options = CurlOptions(handle: handle)
    options.setCommon(
      protocols: target.isThisMachine ? "http,https" : "https",
      certificateAuthority: settings.certificateAuthority, connect: settings.limits.connect,
      total: settings.limits.total)
    options.set(CURLOPT_URL, request.url)
    options.set(CURLOPT_HTTPHEADER, list)
    options.setCallbacks(of: transfer)
    options.set(request.method, body: request.body)
    guard options.result == CURLE_OK else {
      return unusable(String(cString: curl_shim_easy_strerror(options.result)))
    }
    return transfer.judge(
      curl_shim_easy_perform(handle), bodySize: request.body.count, isLiteral: target.isLiteral)
  }

  private let isThisMachine: Bool
  private let reachesPrivate: Bool
  private var reply: HTTPReply?
  private var headerBytes = 0
  private var exceedsReplyLimit = false
  private var hasSentHeader = false
  private var sentBody = 0
  private var refusal: String?

  private init(isThisMachine: Bool, reachesPrivate: Bool) {
    self.isThisMachine = isThisMachine
    self.reachesPrivate = reachesPrivate
  }

  private func judge(_ result: CURLcode, bodySize: Int, isLiteral: Bool) -> HTTPResult {
    if var reply, reply.status >= 200 {
      reply.isWhole = result == CURLE_OK
      return .reply(reply)
    }
    let text = String(cString: curl_shim_easy_strerror(result))
    let cause: HTTPFailureKind.Cause
    switch result {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
      return .failed(.notTrusted)
    case CURLE_URL_MALFORMAT where !hasSentHeader, CURLE_UNSUPPORTED_PROTOCOL where !hasSentHeader:
      return .failed(.unusable("the address cannot be used"))
    case CURLE_COULDNT_CONNECT where refusal != nil:
      return .failed(.refusedAddress(refusal!, isLiteral: isLiteral))
    case CURLE_COULDNT_RESOLVE_HOST: cause = .hostNotFound
    case CURLE_OPERATION_TIMEDOUT: cause = .timedOut
    case CURLE_COULDNT_CONNECT: cause = .noConnection
    default: cause = .connectionLost
    }
    let kind = HTTPFailureKind(
      cause: cause, text: exceedsReplyLimit ? "the answer's header is too long" : text)
    return .failed(
      hasSentHeader && sentBody >= bodySize ? .unanswered(kind) : .notSent(kind))
  }

  // MARK: Callbacks

  /// Opens the socket for a connection, unless the address must not be reached.
  fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    // The address may be longer than the field's type suggests.
    let field = UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
    guard let found = NetworkAddress(socketAddress: field) else { return curl_socket_t(-1) }
    let refusal =
      found.refusal ?? (found.isLoopback && !isThisMachine ? "this machine itself" : nil)
      ?? (found.isPrivate && !reachesPrivate ? "a private network" : nil)
    if let refusal {
      self.refusal = refusal
      return curl_socket_t(-1)
    }
    return address.pointee.open()
  }

  /// - Returns: Whether to continue.
  fileprivate func readHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= Self.replyLimit else {
      exceedsReplyLimit = true
      return false
    }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) }
      reply = status.map { HTTPReply(status: $0) }
    } else if let colon = line.firstIndex(of: ":"),
      line[..<colon].lowercased() == "retry-after"
    {
      let value = String(line[line.index(after: colon)...]).trimmingWhitespace()
      reply?.retryAfter = value.utf8.count <= 100 ? value : nil
    }
    return true
  }

  /// - Returns: Whether all of it fitted.
  fileprivate func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = Self.replyLimit - (reply?.body.count ?? 0)
    reply?.body += bytes.prefix(room)
    return bytes.count <= room
  }

  fileprivate func observe(_ kind: curl_infotype, _ count: Int) {
    switch kind {
    case CURLINFO_HEADER_OUT: hasSentHeader = true
    case CURLINFO_DATA_OUT: sentBody += count
    default: break
    }
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
    Unmanaged<HTTPTransfer>.fromOpaque(context!).takeUnretainedValue()
  }
}

extension HTTPTransfer {
  /// Where a request's URL leads, as libcurl reads it.
  private struct Target {
    /// Whether the URL names this machine. Only then may it be reached, and without encryption.
    var isThisMachine: Bool
    /// Whether the host is an IP address rather than a name.
    var isLiteral: Bool

    init?(_ text: String) {
      guard let url = curl_shim_url() else { return nil }
      defer { curl_shim_url_cleanup(url) }
      guard curl_shim_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
        let scheme = Self.part(CURLUPART_SCHEME, of: url),
        let host = Self.part(CURLUPART_HOST, of: url)
      else { return nil }
      let literal = NetworkAddress(literal: host)
      isThisMachine = host.lowercased() == "localhost" || literal?.isLoopback == true
      isLiteral = literal != nil
      guard scheme == "https" || (scheme == "http" && isThisMachine) else { return nil }
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_shim_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
      defer { curl_shim_free(text) }
      return String(cString: text)
    }
  }
}

extension CurlOptions {
  fileprivate mutating func set(_ method: HTTPRequest.Method, body: [UInt8]) {
    set(CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    guard method != .get else { return set(CURLOPT_HTTPGET, 1) }
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, body.count)
    if body.isEmpty {
      // An empty string, because `nil` would make libcurl read the body from a callback.
      set(CURLOPT_COPYPOSTFIELDS, "")
    } else {
      body.withUnsafeBytes { bytes in
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        check(curl_shim_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start))
      }
    }
    if method != .post { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
  }

  fileprivate mutating func setCallbacks(of transfer: HTTPTransfer) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    check(
      curl_shim_set_socket_opener(
        handle, { context, _, address in HTTPTransfer.from(context).open(address!) }, context))
    check(
      curl_shim_set_header_reader(
        handle,
        { bytes, size, count, context in
          HTTPTransfer.from(context).readHeader(.init(start: bytes, count: size * count))
            ? size * count : 0
        }, context))
    check(
      curl_shim_set_writer(
        handle,
        { bytes, size, count, context in
          HTTPTransfer.from(context).readBody(.init(start: bytes, count: size * count))
            ? size * count : 0
        }, context))
    check(
      curl_shim_set_observer(
        handle,
        { _, kind, _, count, context in
          HTTPTransfer.from(context).observe(kind, count)
          return 0
        }, context))
  }
}

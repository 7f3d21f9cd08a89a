import CCurlShim
import Clients
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import System

/// One HTTP request, made by libcurl on the calling thread.
///
/// libcurl's callbacks run on that thread, inside ``run(_:_:authorities:stop:)``, so no other thread
/// sees an instance.
final class HTTPTransfer {
  /// Ends a transfer from another thread.
  final class Stop: Sendable {
    let isSet = Atomic(false)
  }

  /// The most bytes of a reply's header to read.
  private static let headerLimit = 65_536

  static func run(
    _ request: HTTPRequest, _ handles: CurlHandles, authorities: String? = nil, stop: Stop = Stop()
  ) -> HTTPResult {
    // libcurl must be ready before it parses the address.
    guard CurlLibrary.isReady else { return .failed(.notStarted) }
    guard let target = Target(request.url, within: request.reach) else {
      return .failed(.unusable("the address cannot be used"))
    }
    let transfer = HTTPTransfer(request, target, stop)
    // The callbacks hold `transfer` unretained, and the last ones come when the handle is given back.
    // That is deferred later, so it runs before this.
    defer { withExtendedLifetime(transfer) {} }
    guard let handle = handles.take() else { return .failed(.notStarted) }
    // Don't ask whether the server wants the body: one that doesn't answer would cost a second.
    var list = curl_shim_slist_append(nil, "Expect:")
    defer { curl_shim_slist_free_all(list) }
    defer { handles.giveBack(handle) }
    for (name, value) in [("User-Agent", "LifeSignal")] + request.headers {
      guard !(name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        return .failed(.unusable("a header field cannot be sent"))
      }
      guard let longer = curl_shim_slist_append(list, "\(name): \(value)") else {
        return .failed(.notStarted)
      }
      list = longer
    }
    var options = CurlOptions(handle: handle)
    options.set(request, to: target, list, authorities: authorities)
    options.setCallbacks(of: transfer)
    return request.body.withUnsafeBytes { bytes in
      // The bytes are used until the transfer ends, and not copied.
      options.set(request.method, body: bytes)
      guard options.result == CURLE_OK else {
        return .failed(.unusable(String(cString: curl_shim_easy_strerror(options.result))))
      }
      let code = curl_shim_easy_perform(handle)
      if request.trust == .none, let text = curl_shim_certificate(handle) {
        transfer.reply?.certificate = String(cString: text)
      }
      return transfer.judge(code)
    }
  }

  private let request: HTTPRequest
  private let target: Target
  private let stop: Stop
  private var reply: HTTPReply?
  private var headerBytes = 0
  private var isTooLarge = false
  private var hasSentHeader = false
  private var sentBody = 0
  private var refusal: String?

  private init(_ request: HTTPRequest, _ target: Target, _ stop: Stop) {
    self.request = request
    self.target = target
    self.stop = stop
  }

  private func judge(_ result: CURLcode) -> HTTPResult {
    if result == CURLE_ABORTED_BY_CALLBACK { return .failed(.cancelled) }
    if isTooLarge, !request.acceptsCutReplies { return .failed(.replyTooLarge) }
    if var reply, reply.status >= 200, result == CURLE_OK || request.acceptsCutReplies {
      reply.isWhole = result == CURLE_OK
      return .reply(reply)
    }
    let cause: HTTPFailureKind.Cause
    switch result {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .failed(.otherKey)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: return .failed(.notTrusted)
    case CURLE_URL_MALFORMAT where !hasSentHeader, CURLE_UNSUPPORTED_PROTOCOL where !hasSentHeader:
      return .failed(.unusable("the address cannot be used"))
    case CURLE_COULDNT_CONNECT where refusal != nil:
      return .failed(.refusedAddress(refusal!, isLiteral: target.isLiteral))
    case CURLE_COULDNT_RESOLVE_HOST: cause = .hostNotFound
    case CURLE_OPERATION_TIMEDOUT: cause = .timedOut
    case CURLE_COULDNT_CONNECT: cause = .noConnection
    default: cause = .connectionLost
    }
    let text =
      isTooLarge
      ? "the answer's header is too long" : String(cString: curl_shim_easy_strerror(result))
    let kind = HTTPFailureKind(cause: cause, text: text)
    let isSent = hasSentHeader && (request.method == .get || sentBody >= request.body.count)
    return .failed(isSent ? .unanswered(kind) : .notSent(kind))
  }

  // MARK: Callbacks

  /// Opens the socket for a connection, unless the address must not be reached.
  fileprivate func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    if case .web(let privateNetworks, let thisMachine) = request.reach {
      // The address may be longer than the field's type suggests.
      let field = UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
      guard let found = NetworkAddress(socketAddress: field) else { return curl_socket_t(-1) }
      let reachesThisMachine = target.isThisMachine && thisMachine
      let refusal =
        found.refusal ?? (found.isLoopback && !reachesThisMachine ? "this machine itself" : nil)
        ?? (found.isPrivate && !privateNetworks ? "a private network" : nil)
      if let refusal {
        // Stays, also if another address of the host may be reached but doesn't answer.
        self.refusal = refusal
        return curl_socket_t(-1)
      }
    }
    return address.pointee.open()
  }

  /// - Returns: Whether to go on.
  fileprivate func readHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= Self.headerLimit else {
      isTooLarge = true
      return false
    }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) }
      reply = status.map { HTTPReply(status: $0) }
    } else if let colon = line.firstIndex(of: ":") {
      reply?.headers[line[..<colon].lowercased()] =
        String(line[line.index(after: colon)...]).trimmingWhitespace()
    }
    return true
  }

  /// - Returns: Whether all of it fitted.
  fileprivate func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = request.replyLimit - (reply?.body.count ?? 0)
    reply?.body.append(contentsOf: bytes.prefix(room))
    isTooLarge = bytes.count > room
    return !isTooLarge
  }

  fileprivate func observe(_ kind: curl_infotype, _ count: Int) {
    switch kind {
    case CURLINFO_HEADER_OUT: hasSentHeader = true
    case CURLINFO_DATA_OUT: sentBody += count
    default: break
    }
  }

  fileprivate var isStopped: Bool { stop.isSet.load(ordering: .relaxed) }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
    Unmanaged<HTTPTransfer>.fromOpaque(context!).takeUnretainedValue()
  }
}

extension HTTPTransfer {
  /// Where a request's URL leads, as libcurl reads it.
  fileprivate struct Target {
    var isEncrypted: Bool
    /// Whether the URL names this machine.
    var isThisMachine: Bool
    /// Whether the host is an IP address rather than a name.
    var isLiteral: Bool

    init?(_ text: String, within reach: HTTPRequest.Reach) {
      guard let url = curl_shim_url() else { return nil }
      defer { curl_shim_url_cleanup(url) }
      guard curl_shim_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
        let scheme = Self.part(CURLUPART_SCHEME, of: url),
        let host = Self.part(CURLUPART_HOST, of: url)
      else { return nil }
      let literal = NetworkAddress(literal: host)
      isEncrypted = scheme == "https"
      isThisMachine = host.lowercased() == "localhost" || literal?.isLoopback == true
      isLiteral = literal != nil
      guard isEncrypted || scheme == "http" && (isThisMachine || reach == .anywhere) else {
        return nil
      }
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
  fileprivate mutating func set(
    _ request: HTTPRequest, to target: HTTPTransfer.Target,
    _ headers: UnsafeMutablePointer<curl_slist>?, authorities: String?
  ) {
    setCommon(
      protocols: target.isEncrypted ? "https" : "http", certificateAuthority: authorities,
      connect: request.limits.connect, total: request.limits.total)
    set(CURLOPT_URL, request.url)
    set(CURLOPT_HTTPHEADER, headers)
    set(CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    guard target.isEncrypted, request.trust != .authorities else { return }
    // The key itself identifies the server, and an authority would add nothing.
    set(CURLOPT_SSL_VERIFYPEER, 0)
    set(CURLOPT_SSL_VERIFYHOST, 0)
    if case .key(let fingerprint) = request.trust { pin(fingerprint) }
    if request.trust == .none { set(CURLOPT_CERTINFO, 1) }
  }

  /// - Parameter bytes: Must live until the transfer ends.
  fileprivate mutating func set(_ method: HTTPRequest.Method, body bytes: UnsafeRawBufferPointer) {
    guard method != .get else { return set(CURLOPT_HTTPGET, 1) }
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, bytes.count)
    if bytes.isEmpty {
      // An empty string, because `nil` would make libcurl read the body from a callback.
      set(CURLOPT_COPYPOSTFIELDS, "")
    } else {
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      check(curl_shim_set_pointer(handle, CURLOPT_POSTFIELDS, start))
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
    check(
      curl_shim_set_progress(
        handle, { context, _, _, _, _ in HTTPTransfer.from(context).isStopped ? 1 : 0 }, context))
  }
}

import CCurlShim
import Cryptography
import Curl
import FoundationEssentials
import Glibc
import Synchronization
import System

/// One request to the server and its answer, with libcurl on a separate thread: no redirects, no
/// cookies, no proxy, and a limit for everything.
///
/// The callbacks of libcurl run on that thread, within the exchange; no other thread sees an
/// instance.
final class ServerExchange {
  struct Request: Sendable {
    var method: String
    var url: String
    var headers: [String]
    var body = Data()
    /// The time limit for connecting.
    var connect: Duration
    /// The time limit for the whole exchange.
    var total: Duration
    /// The largest size of the answer, in bytes.
    var limit: Int
    /// The key that the server must have; `nil` if the system's certificates decide which servers
    /// to trust.
    var fingerprint: String?
    /// A file of certificates to trust instead of the system's; for tests.
    var certificateAuthority: String?
    /// Whether any certificate will do, because only the key is read.
    var looksOnly = false
  }

  struct Answer: Sendable {
    var status = 0
    /// The headers by their names in lower case.
    var headers: [String: String] = [:]
    var body = Data()
    /// The SHA-256 of the server's key, if it was requested.
    var fingerprint: String?

    var isJSON: Bool { headers["content-type"]?.hasPrefix("application/json") == true }
  }

  /// The reason why there is no answer.
  enum Fault: Error, Equatable, Sendable {
    /// libcurl is not installed, or has no memory.
    case notLoaded
    case notTrusted
    /// The server has another key than the expected one.
    case otherKey
    case tooLarge
    /// The request was sent, and no answer came in time.
    case timedOut
    /// No connection was made, so nothing was sent.
    case unreachable
    /// The request was sent, and the connection ended before the answer did.
    case lost
    case cancelled
  }

  /// A pool of handles, which keep their connections for the next request.
  final class Handles: Sendable {
    /// `@unchecked Sendable`: one exchange at a time takes it out of the list, and uses it alone
    /// until it gives it back.
    private struct Handle: @unchecked Sendable { var pointer: UnsafeMutableRawPointer }
    private let idle = Mutex<[Handle]>([])

    fileprivate func take() -> UnsafeMutableRawPointer? {
      idle.withLock { $0.popLast() }?.pointer ?? curl_shim_easy_init()
    }

    fileprivate func giveBack(_ pointer: UnsafeMutableRawPointer) {
      // The options are reset; the connection stays.
      curl_shim_easy_reset(pointer)
      let handle = Handle(pointer: pointer)
      let isKept = idle.withLock { idle in
        guard idle.count < 4 else { return false }
        idle.append(handle)
        return true
      }
      if !isKept { curl_shim_easy_cleanup(pointer) }
    }

    deinit {
      for handle in idle.withLock({ $0 }) { curl_shim_easy_cleanup(handle.pointer) }
    }
  }

  /// Sends a request; ends within a second if the task is cancelled.
  static func answer(
    to request: Request, with handles: Handles
  ) async throws(Fault) -> Answer {
    let exchange = Stop()
    let result: Result<Answer, Fault>? = await withTaskCancellationHandler {
      await OwnThread.run { handOver in handOver(run(request, handles, exchange)) }
    } onCancel: {
      exchange.isSet.store(true, ordering: .relaxed)
    }
    guard let result else { throw .notLoaded }
    return try result.get()
  }

  private final class Stop: Sendable {
    let isSet = Atomic(false)
  }

  private static func run(
    _ request: Request, _ handles: Handles, _ stop: Stop
  ) -> Result<Answer, Fault> {
    guard CurlLibrary.isReady, let handle = handles.take() else { return .failure(.notLoaded) }
    let exchange = ServerExchange(limit: request.limit, stop: stop)
    defer { withExtendedLifetime(exchange) {} }
    var list: UnsafeMutablePointer<curl_slist>?
    defer { curl_shim_slist_free_all(list) }
    // Afterwards, no callback knows the exchange.
    defer { handles.giveBack(handle) }
    for header in ["User-Agent: LifeSignal", "Expect:"] + request.headers {
      guard !header.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
        let longer = curl_shim_slist_append(list, header)
      else { return .failure(.notLoaded) }
      list = longer
    }
    var options = CurlOptions(handle: handle)
    options.set(request, list)
    options.setCallbacks(of: exchange)
    return request.body.withUnsafeBytes { bytes -> Result<Answer, Fault> in
      // The bytes are used until the exchange ends, and not copied.
      options.setBody(bytes, of: request.method)
      guard options.result == CURLE_OK else { return .failure(.notLoaded) }
      let code = curl_shim_easy_perform(handle)
      if request.looksOnly, let text = curl_shim_certificate(handle) {
        exchange.answer.fingerprint = Certificate.fingerprint(pem: String(cString: text))
      }
      return exchange.judge(code, hasSent: curl_shim_has_sent(handle))
    }
  }

  private var answer = Answer()
  private let limit: Int
  private let stop: Stop
  private var headerBytes = 0
  private var isTooLarge = false

  private init(limit: Int, stop: Stop) {
    self.limit = limit
    self.stop = stop
  }

  private func judge(_ code: CURLcode, hasSent: Bool) -> Result<Answer, Fault> {
    guard !isTooLarge else { return .failure(.tooLarge) }
    switch code {
    case CURLE_OK: return answer.status >= 200 ? .success(answer) : .failure(.lost)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .failure(.otherKey)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: return .failure(.notTrusted)
    case CURLE_ABORTED_BY_CALLBACK: return .failure(.cancelled)
    case _ where !hasSent: return .failure(.unreachable)
    case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
    default: return .failure(.lost)
    }
  }

  // MARK: Callbacks

  private static let headerLimit = 65_536

  /// - Returns: Whether to go on.
  fileprivate func readHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    isTooLarge = isTooLarge || headerBytes > Self.headerLimit
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      answer = Answer()
      answer.status =
        line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " }.prefix {
        $0 != "\r" && $0 != "\n" && $0 != "\r\n"
      }
      answer.headers[line[..<colon].lowercased()] = String(value)
    }
    return !isTooLarge
  }

  fileprivate func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = isTooLarge || answer.body.count + bytes.count > limit
    if !isTooLarge { answer.body.append(contentsOf: bytes) }
    return !isTooLarge
  }

  fileprivate var isStopped: Bool { stop.isSet.load(ordering: .relaxed) }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> ServerExchange {
    Unmanaged<ServerExchange>.fromOpaque(context!).takeUnretainedValue()
  }
}

extension CurlOptions {
  fileprivate mutating func set(
    _ request: ServerExchange.Request, _ headers: UnsafeMutablePointer<curl_slist>?
  ) {
    let isEncrypted = request.url.hasPrefix("https://")
    setCommon(
      protocols: isEncrypted ? "https" : "http",
      certificateAuthority: request.certificateAuthority, connect: request.connect,
      total: request.total)
    set(CURLOPT_URL, request.url)
    set(CURLOPT_HTTPHEADER, headers)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    guard isEncrypted else { return }
    if let fingerprint = request.fingerprint {
      pin(fingerprint)
    }
    if request.fingerprint != nil || request.looksOnly {
      // The key itself identifies the server, and an authority would add nothing.
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if request.looksOnly { set(CURLOPT_CERTINFO, 1) }
  }

  fileprivate mutating func setBody(_ bytes: UnsafeRawBufferPointer, of method: String) {
    guard method != "GET" else { return set(CURLOPT_HTTPGET, 1) }
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, bytes.count)
    if bytes.isEmpty {
      set(CURLOPT_COPYPOSTFIELDS, "")
    } else {
      check(
        curl_shim_set_pointer(
          handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)))
    }
    if method != "POST" { set(CURLOPT_CUSTOMREQUEST, method) }
  }

  fileprivate mutating func setCallbacks(of exchange: ServerExchange) {
    let context = Unmanaged.passUnretained(exchange).toOpaque()
    check(
      curl_shim_set_header_reader(
        handle,
        { bytes, size, count, context in
          ServerExchange.from(context).readHeader(.init(start: bytes, count: size * count))
            ? size * count : 0
        }, context))
    check(
      curl_shim_set_writer(
        handle,
        { bytes, size, count, context in
          ServerExchange.from(context).readBody(.init(start: bytes, count: size * count))
            ? size * count : 0
        }, context))
    check(
      curl_shim_set_progress(
        handle, { context, _, _, _, _ in ServerExchange.from(context).isStopped ? 1 : 0 }, context))
  }
}

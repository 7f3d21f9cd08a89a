import CCurlShim
import Clients
import Curl
import Domain
import FoundationEssentials
import Glibc

/// One connection of an ``SMTPTransfer``: a handle of libcurl, and what is known of its conversation.
///
/// libcurl's callbacks run on the transfer's thread, inside its calls, so no other thread sees an
/// instance.
final class SMTPConnection {
  /// Why a connection could not begin.
  struct Unstarted: Error { var outcome: DeliveryOutcome }

  /// What is being waited for.
  private enum Wait { case connection, greeting, answer, block, verdict }

  let handle: UnsafeMutableRawPointer
  /// How libcurl ended, or `nil` while it goes on.
  var result: CURLcode?
  private let message: MailMessage
  private let mayGoOn: (SMTPConnection) -> Bool
  private let needsStartTLS: Bool
  private let login: SMTPLogin?
  private let url: OpaquePointer
  private let recipients: UnsafeMutablePointer<curl_slist>
  private var conversation = SMTPConversation()
  private var wait = Wait.connection
  private var since = ContinuousClock.now
  private var hasTimedOut = false
  private var isAdded = false
  private var sentBytes = 0
  private var replyBytes = 0
  private var sockets: Set<curl_socket_t> = []

  /// The number of bytes after which a talkative server is cut off.
  static let replyLimit = 65_536

  /// - Parameters:
  ///   - isSecond: Whether there is another one, which may be stuck at an address that is dead.
  ///   - mayGoOn: Asked after each line of the server.
  init(
    _ settings: SMTPTransfer.Settings, _ message: MailMessage, isSecond: Bool,
    mayGoOn: @escaping (SMTPConnection) -> Bool
  ) throws(Unstarted) {
    let smtp = settings.smtp
    guard let url = Self.url(of: smtp) else {
      throw Unstarted(
        outcome: .misconfigured(reason: "“\(smtp.host)” is not the name of a mail server"))
    }
    let recipients = curl_shim_slist_append(nil, "<\(message.recipient)>")
    guard let recipients, let handle = curl_shim_easy_init() else {
      curl_shim_slist_free_all(recipients)
      curl_shim_url_cleanup(url)
      throw Unstarted(outcome: .retry(reason: "out of memory", after: nil))
    }
    (self.url, self.recipients, self.handle) = (url, recipients, handle)
    (self.message, self.mayGoOn) = (message, mayGoOn)
    needsStartTLS = smtp.security == .starttls
    login = settings.login
    var options = CurlOptions(handle: handle)
    options.set(url: url)
    options.set(CURLOPT_MAIL_RCPT, recipients)
    options.set(settings, sender: message.sender)
    // Another order of the addresses, so that a dead one doesn't hold up both.
    if isSecond { options.set(CURLOPT_DNS_SHUFFLE_ADDRESSES, 1) }
    options.setCallbacks(of: self)
    guard options.result == CURLE_OK else {
      let error = String(cString: curl_shim_easy_strerror(options.result))
      throw Unstarted(outcome: .misconfigured(reason: "libcurl refuses the settings (\(error))"))
    }
  }

  deinit {
    curl_shim_easy_cleanup(handle)
    curl_shim_slist_free_all(recipients)
    curl_shim_url_cleanup(url)
  }

  /// Returns `smtp://host:port/`, built by libcurl so that no text in the settings can change its
  /// parts. The path is the name for EHLO.
  private static func url(of smtp: SMTPSettings) -> OpaquePointer? {
    guard let url = curl_shim_url() else { return nil }
    let isBareAddress = smtp.host.contains(":") && !smtp.host.hasPrefix("[")
    let parts = [
      (CURLUPART_SCHEME, smtp.security == .tls ? "smtps" : "smtp"),
      (CURLUPART_HOST, isBareAddress ? "[\(smtp.host)]" : smtp.host),
      (CURLUPART_PORT, "\(smtp.port)"),
      (
        CURLUPART_PATH,
        "/" + smtp.greetingName.replacing("[", with: "%5B").replacing("]", with: "%5D")
      ),
    ]
    for (part, text) in parts where curl_shim_url_set(url, part, text, 0) != CURLUE_OK {
      curl_shim_url_cleanup(url)
      return nil
    }
    return url
  }

  // MARK: Course

  /// - Returns: Whether it has begun.
  func begin(in multi: UnsafeMutableRawPointer) -> Bool {
    isAdded = curl_shim_multi_add_handle(multi, handle) == CURLM_OK
    if !isAdded { result = CURLE_OUT_OF_MEMORY }
    return isAdded
  }

  /// Ends it, whatever state it is in, without waiting for the server.
  func end(in multi: UnsafeMutableRawPointer) {
    guard isAdded else { return }
    isAdded = false
    if result == nil { result = CURLE_ABORTED_BY_CALLBACK }
    stopListening()
    curl_shim_multi_remove_handle(multi, handle)
  }

  var isOver: Bool { result != nil || hasTimedOut }
  /// Whether the greetings are complete, and the login or the message comes next.
  var isReady: Bool { conversation.isReady(afterStartTLS: needsStartTLS) }
  /// Whether there is a connection or the attempt to make one, after the look-up.
  var isConnected: Bool { !sockets.isEmpty }

  /// Notices that a connection was made or that the time is up.
  func check(_ limits: SMTPLimits, now: ContinuousClock.Instant) {
    if wait == .connection, curl_shim_is_connected(handle) { begin(.greeting) }
    if now >= deadline(limits) { hasTimedOut = true }
  }

  func deadline(_ limits: SMTPLimits) -> ContinuousClock.Instant {
    let limit =
      switch wait {
      case .connection: limits.connect
      case .greeting: limits.greeting
      case .answer: limits.command
      case .block: limits.block
      case .verdict: limits.verdict
      }
    return since.advanced(by: limit)
  }

  private func begin(_ wait: Wait) {
    self.wait = wait
    since = .now
  }

  /// Judges the conversation once it is over.
  func judge(_ settings: SMTPTransfer.Settings) -> SMTPTransfer.Result {
    let end = loginEnd
    var outcome = DeliveryOutcome(
      result ?? CURLE_OPERATION_TIMEDOUT, conversation, login: end,
      hasLogin: settings.login != nil, certificate: curl_shim_verify_result(handle))
    if hasTimedOut, !conversation.hasBegunMessage {
      outcome = .retry(reason: timeout(settings.limits), after: nil)
    }
    return .init(
      outcome: outcome, login: end, offered: conversation.offered ?? [],
      isRefusal: outcome != .sent && (500..<600).contains(conversation.code)
        && [.mail, .rcpt, .data].contains(conversation.command))
  }

  private func timeout(_ limits: SMTPLimits) -> String {
    func text(_ limit: Duration) -> String {
      let seconds = limit.components.seconds
      return seconds % 60 == 0 && seconds > 0
        ? "\(seconds / 60) minute\(seconds == 60 ? "" : "s")" : "\(seconds) seconds"
    }
    return switch wait {
    case .connection:
      "the mail server can't be reached: no connection within \(text(limits.connect))"
    case .greeting: "the mail server didn't greet within \(text(limits.greeting))"
    case .answer, .block, .verdict:
      "the mail server didn't answer within \(text(limits.command)), \(conversation.place)"
    }
  }

  private var loginEnd: SMTPLoginEnd {
    guard let login else { return .none }
    if conversation.isLoggedIn {
      return conversation.mechanism.map(SMTPLoginEnd.accepted) ?? .none
    }
    // libcurl itself gives up, too: without a ticket, or if it doesn't know the mechanism.
    let isDenied = result == CURLE_LOGIN_DENIED || result == CURLE_AUTH_ERROR
    let mechanism = conversation.mechanism ?? login.mechanisms.first ?? .plain
    switch conversation.command {
    case .hello where lacksMechanism: return .otherMechanisms(conversation.offered ?? [])
    case .hello where isDenied: return .mechanismRefused(mechanism)
    case .auth where (500..<600).contains(conversation.code):
      return conversation.hasSentSecret ? .refused(mechanism) : .mechanismRefused(mechanism)
    case .auth where isDenied && !conversation.hasSentSecret: return .mechanismRefused(mechanism)
    case .mail, .rcpt, .data: return .notOffered
    default: return .none
    }
  }

  /// Whether the server offers a login, but none that this conversation can use.
  private var lacksMechanism: Bool {
    guard let login, isReady, let offered = conversation.offered else { return false }
    return !login.mechanisms.contains(where: offered.contains)
  }

  // MARK: Callbacks

  /// Fills libcurl's buffer with the next part of the message.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, message.bytes.count - sentBytes)
    buffer.copyBytes(from: message.bytes[sentBytes..<sentBytes + count])
    sentBytes += count
    begin(count > 0 ? .block : .verdict)
    return count
  }

  /// Follows the conversation, line by line.
  fileprivate func observe(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_HEADER_OUT:
      // The rest of the line may hold a secret.
      conversation.note(command: String(decoding: bytes.prefix(32), as: UTF8.self))
      begin(.answer)
      // libcurl waits for the answer to QUIT, which nobody needs.
      if conversation.isOver { stopListening() }
    case CURLINFO_HEADER_IN:
      replyBytes += bytes.count
      conversation.note(reply: String(decoding: bytes.prefix(512), as: UTF8.self))
    default: break
    }
  }

  /// Decides after a line of the server whether to go on.
  fileprivate func goesOn() -> Bool {
    !hasTimedOut && replyBytes <= Self.replyLimit && !lacksMechanism
      && (conversation.isOver || mayGoOn(self))
  }

  fileprivate func open(_ address: curl_sockaddr) -> curl_socket_t {
    let socket = address.open()
    guard socket >= 0 else { return socket }
    // A dead address is given up after 1 + 2 + 4 + 8 s, and the next one is tried.
    var attempts: Int32 = 3
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_SYNCNT, &attempts, socklen_t(MemoryLayout<Int32>.size))
    sockets.insert(socket)
    return socket
  }

  fileprivate func close(_ socket: curl_socket_t) -> Int32 {
    sockets.remove(socket)
    return Glibc.close(socket)
  }

  /// Makes every further wait for the server end at once.
  private func stopListening() { for socket in sockets { shutdown(socket, Int32(SHUT_RD)) } }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> SMTPConnection {
    Unmanaged<SMTPConnection>.fromOpaque(context!).takeUnretainedValue()
  }
}

extension CurlOptions {
  fileprivate mutating func set(_ settings: SMTPTransfer.Settings, sender: String) {
    let smtp = settings.smtp
    // Longer than all limits of a conversation, which the transfer keeps itself.
    let forever = Duration.seconds(86_400)
    setCommon(
      protocols: "smtp,smtps",
      certificateAuthority: smtp.certificateAuthority ?? settings.certificateAuthority,
      connect: forever, total: forever)
    // libcurl itself waits for the verdict, inside one call. It is the longest wait for an answer.
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, (settings.limits.verdict.milliseconds + 999) / 1_000)
    if smtp.security != .none {
      set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
      if let fingerprint = smtp.fingerprint {
        pin(fingerprint)
        // The key itself identifies the server, and an authority would add nothing.
        set(CURLOPT_SSL_VERIFYPEER, 0)
        set(CURLOPT_SSL_VERIFYHOST, 0)
      }
    }
    if let login = settings.login {
      set(CURLOPT_USERNAME, login.username)
      set(login.isToken ? CURLOPT_XOAUTH2_BEARER : CURLOPT_PASSWORD, login.secret)
      set(
        CURLOPT_LOGIN_OPTIONS, login.mechanisms.map { "AUTH=\($0.rawValue)" }.joined(separator: ";")
      )
    }
    set(CURLOPT_MAIL_FROM, "<\(sender)>")
    set(CURLOPT_UPLOAD, 1)
  }

  fileprivate mutating func setCallbacks(of connection: SMTPConnection) {
    let context = Unmanaged.passUnretained(connection).toOpaque()
    check(
      curl_shim_set_reader(
        handle,
        { buffer, size, count, context in
          SMTPConnection.from(context).read(into: .init(start: buffer, count: size * count))
        }, context))
    check(
      curl_shim_set_observer(
        handle,
        { _, kind, bytes, count, context in
          SMTPConnection.from(context).observe(kind, .init(start: bytes, count: count))
          return 0
        }, context))
    check(
      curl_shim_set_header_reader(
        handle,
        { _, size, count, context in SMTPConnection.from(context).goesOn() ? size * count : 0 },
        context))
    check(
      curl_shim_set_socket_opener(
        handle, { context, _, address in SMTPConnection.from(context).open(address!.pointee) },
        context))
    check(
      curl_shim_set_socket_closer(
        handle, { context, socket in SMTPConnection.from(context).close(socket) }, context))
  }
}

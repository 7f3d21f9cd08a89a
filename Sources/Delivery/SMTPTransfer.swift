import CCurlShim
import Clients
import Curl
import Domain

/// One conversation with a mail server, held by libcurl on the calling thread.
///
/// libcurl's callbacks run on that thread, inside ``run(_:smtp:password:message:outcome:)``, so no
/// other thread sees an instance.
final class SMTPTransfer {
  private let message: MailMessage
  private var sent = 0
  private var conversation = SMTPConversation()
  private var replyBytes = 0

  /// The number of bytes after which a talkative server is cut off.
  static let replyLimit = 65_536

  private init(message: MailMessage) { self.message = message }

  /// Sends a message and reports the outcome as soon as it is known, within
  /// `settings.limits.total`. Closing the connection can block for as long again, because libcurl
  /// waits for the answer to QUIT.
  static func run(
    _ settings: MailSender.Settings, smtp: SMTPSettings, password: String?, message: MailMessage,
    outcome handOver: (DeliveryOutcome) -> Void
  ) {
    let transfer = SMTPTransfer(message: message)
    // The callbacks hold `transfer` unretained, and the last ones come from `curl_easy_cleanup`.
    // That is deferred later, so it runs before this.
    defer { withExtendedLifetime(transfer) {} }
    guard CurlLibrary.isReady, let handle = curl_shim_easy_init() else {
      return handOver(.retry(reason: "libcurl could not be started", after: nil))
    }
    defer { curl_shim_easy_cleanup(handle) }
    guard let url = url(of: smtp) else {
      return handOver(
        .misconfigured(reason: "“\(smtp.host)” is not the name of a mail server"))
    }
    defer { curl_shim_url_cleanup(url) }
    let recipients = curl_shim_slist_append(nil, "<\(message.recipient)>")
    defer { curl_shim_slist_free_all(recipients) }
    guard recipients != nil else { return handOver(.retry(reason: "out of memory", after: nil)) }

    var options = CurlOptions(handle: handle)
    options.set(url: url)
    options.set(CURLOPT_MAIL_RCPT, recipients)
    options.set(settings, smtp: smtp, password: password, sender: message.sender)
    options.setCallbacks(of: transfer)
    guard options.result == CURLE_OK else {
      let error = String(cString: curl_shim_easy_strerror(options.result))
      return handOver(.misconfigured(reason: "libcurl refuses the settings (\(error))"))
    }
    let result = curl_shim_easy_perform(handle)
    handOver(DeliveryOutcome(result, transfer.conversation))
  }

  /// Returns `smtp://host:port/`, built by libcurl so that no text in the settings can change its
  /// parts. The path is the name for EHLO: an address literal that doesn't reveal the machine's
  /// name.
  private static func url(of smtp: SMTPSettings) -> OpaquePointer? {
    guard let url = curl_shim_url() else { return nil }
    let isBareAddress = smtp.host.contains(":") && !smtp.host.hasPrefix("[")
    let parts = [
      (CURLUPART_SCHEME, smtp.security == .tls ? "smtps" : "smtp"),
      (CURLUPART_HOST, isBareAddress ? "[\(smtp.host)]" : smtp.host),
      (CURLUPART_PORT, "\(smtp.port)"),
      (CURLUPART_PATH, "/%5B127.0.0.1%5D"),
    ]
    for (part, text) in parts where curl_shim_url_set(url, part, text, 0) != CURLUE_OK {
      curl_shim_url_cleanup(url)
      return nil
    }
    return url
  }

  // MARK: Callbacks

  /// Fills libcurl's buffer with the next part of the message.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, message.bytes.count - sent)
    buffer.copyBytes(from: message.bytes[sent..<sent + count])
    sent += count
    return count
  }

  /// Follows the conversation, line by line.
  fileprivate func observe(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_HEADER_OUT:
      // The rest of the line may hold a secret.
      conversation.note(command: String(decoding: bytes.prefix(12), as: UTF8.self))
    case CURLINFO_HEADER_IN:
      replyBytes += bytes.count
      conversation.note(reply: String(decoding: bytes.prefix(512), as: UTF8.self))
    default: break
    }
  }

  fileprivate var exceedsReplyLimit: Bool { replyBytes > Self.replyLimit }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> SMTPTransfer {
    Unmanaged<SMTPTransfer>.fromOpaque(context!).takeUnretainedValue()
  }
}

extension CurlOptions {
  fileprivate mutating func set(
    _ settings: MailSender.Settings, smtp: SMTPSettings, password: String?, sender: String
  ) {
    setCommon(
      protocols: "smtp,smtps", certificateAuthority: settings.certificateAuthority,
      connect: settings.limits.connect,
      total: settings.limits.total)
    // The only limit, in seconds, that also covers the answer to QUIT.
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, settings.limits.total.milliseconds / 1_000 + 1)
    if smtp.security != .none { set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
    if let username = smtp.username {
      set(CURLOPT_USERNAME, username)
      set(CURLOPT_PASSWORD, password ?? "")
    }
    set(CURLOPT_MAIL_FROM, "<\(sender)>")
    set(CURLOPT_UPLOAD, 1)
  }

  fileprivate mutating func setCallbacks(of transfer: SMTPTransfer) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    check(
      curl_shim_set_reader(
        handle,
        { buffer, size, count, context in
          SMTPTransfer.from(context).read(into: .init(start: buffer, count: size * count))
        }, context))
    check(
      curl_shim_set_observer(
        handle,
        { _, kind, bytes, count, context in
          SMTPTransfer.from(context).observe(kind, .init(start: bytes, count: count))
          return 0
        }, context))
    check(
      curl_shim_set_progress(
        handle, { context, _, _, _, _ in SMTPTransfer.from(context).exceedsReplyLimit ? 1 : 0 },
        context))
  }
}

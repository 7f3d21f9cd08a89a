import CCurlShim
import Domain

/// The state of a conversation with a mail server: the last command sent and the last reply to it.
struct SMTPConversation: Equatable, Sendable {
  enum Command: Sendable {
    /// Before the first command: connecting and the greeting.
    case connect
    case hello, starttls, auth, mail, rcpt, data
  }

  private(set) var command = Command.connect
  /// The last reply's code, or 0 before the first one.
  private(set) var code = 0
  /// The last line of the last reply, as the server wrote it.
  private(set) var reply = ""
  /// Whether QUIT was sent; replies after it don't matter.
  private var isOver = false

  /// Notes a line that was sent. A line that isn't a command belongs to the command before it.
  mutating func note(command line: String) {
    // The answer to a challenge is one base64 word, which looks like a command only by chance.
    switch line.prefix(while: { !$0.isWhitespace }).uppercased() {
    case "EHLO", "HELO": command = .hello
    case "STARTTLS": command = .starttls
    case "AUTH": command = .auth
    case "MAIL": command = .mail
    case "RCPT": command = .rcpt
    case "DATA": command = .data
    case "QUIT": isOver = true
    default: break
    }
  }

  /// Notes a line of a reply.
  mutating func note(reply line: String) {
    guard !isOver, let code = Int(line.prefix(3)) else { return }
    self.code = code
    reply = line
  }
}

extension DeliveryOutcome {
  /// Judges an attempt by the code of the last reply or, if that doesn't decide, by libcurl's
  /// result.
  ///
  /// After 354 the message is being sent. If no answer follows, nobody knows whether it was
  /// accepted.
  init(_ result: CURLcode, _ conversation: SMTPConversation) {
    let error = String(cString: curl_shim_easy_strerror(result))
    let code = conversation.code
    guard result != CURLE_OK else {
      self =
        (200..<300).contains(code)
        ? .sent : .ambiguous(reason: "the mail server gave an unexpected reply: \(code)")
      return
    }
    let reply = "\(conversation.place): \(conversation.reply.printableLine)"
    switch (result, code) {
    case (_, 354):
      self = .ambiguous(reason: "the mail server's answer to the message didn't arrive (\(error))")
    case (_, 400..<500):
      self = .retry(reason: "the mail server asked to try later, \(reply)", after: nil)
    case (CURLE_PEER_FAILED_VERIFICATION, _), (CURLE_SSL_CACERT_BADFILE, _):
      self = .misconfigured(reason: "the mail server's certificate isn't trusted")
    case (CURLE_USE_SSL_FAILED, _):
      self = .misconfigured(reason: "the mail server doesn't offer STARTTLS")
    case (CURLE_LOGIN_DENIED, _), (_, 530), (_, 534), (_, 535), (_, 538):
      self = .misconfigured(reason: "the mail server rejected the user name or password, \(reply)")
    case (_, 500..<600) where conversation.command.isAboutRecipient:
      self = .permanent(reason: "the mail server refused \(reply)")
    case (_, 500..<600):
      self = .misconfigured(reason: "the mail server refused, \(reply)")
    case (CURLE_SSL_CONNECT_ERROR, _):
      self = .misconfigured(reason: "can't make a secure connection to the mail server")
    case (CURLE_URL_MALFORMAT, _), (CURLE_UNSUPPORTED_PROTOCOL, _):
      self = .misconfigured(reason: "the mail server's name can't be used")
    default:
      self = .retry(reason: "the mail server can't be reached (\(error))", after: nil)
    }
  }
}

extension SMTPConversation.Command {
  /// Whether a refusal concerns this message or recipient rather than our settings.
  fileprivate var isAboutRecipient: Bool { self == .rcpt || self == .data }
}

extension SMTPConversation {
  fileprivate var place: String {
    switch command {
    case .connect: "at its greeting"
    case .hello: "at EHLO"
    case .starttls: "at STARTTLS"
    case .auth: "at the login"
    case .mail: "as a sender"
    case .rcpt: "the recipient"
    case .data: "the message"
    }
  }
}

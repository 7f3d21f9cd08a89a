import CCurlShim
import Clients
import Domain

extension DeliveryOutcome {
  /// Judges an attempt by the code of the last reply or, if that doesn't decide, by libcurl's
  /// result (CHN-2).
  ///
  /// After 354 the message is being sent. If no answer follows, nobody knows whether it was
  /// accepted.
  init(
    _ result: CURLcode, _ conversation: SMTPConversation, login: SMTPLoginEnd,
    hasLogin: Bool, certificate: Int = 0
  ) {
    let error = String(cString: curl_shim_easy_strerror(result))
    let code = conversation.code
    guard result != CURLE_OK else {
      self =
        (200..<300).contains(code)
        ? .sent : .ambiguous(reason: "the mail server gave an unexpected reply: \(code)")
      return
    }
    let said = conversation.reply.printableLine
    let reply = "\(conversation.place): \(said)"
    switch (result, code) {
    case (_, 354):
      self = .ambiguous(reason: "the mail server's answer to the message didn't arrive (\(error))")
    case (_, 400..<500) where conversation.isGreylisting:
      self = .limited(reason: conversation.greylistingReason)
    case (_, 400..<500):
      self = .limited(reason: "the mail server asked us to try again later: \(said)")
    case (CURLE_PEER_FAILED_VERIFICATION, _):
      self = .misconfigured(
        reason: "the mail server's certificate isn't trusted" + Self.complaint(certificate))
    case (CURLE_SSL_PINNEDPUBKEYNOTMATCH, _):
      self = .misconfigured(
        reason: "the mail server has another key than smtp.fingerprint in config.json5 says")
    case (CURLE_SSL_CACERT_BADFILE, _):
      self = .misconfigured(reason: "the file of smtp.ca_file in config.json5 can't be read")
    case (CURLE_USE_SSL_FAILED, _):
      self = .misconfigured(reason: "the mail server doesn't offer STARTTLS")
    case (_, 500..<600):
      self.init(refusal: conversation, reply, login: login, hasLogin: hasLogin)
    case (CURLE_LOGIN_DENIED, _), (CURLE_AUTH_ERROR, _):
      self = .misconfigured(reason: "the login didn't work, \(reply)")
    case (CURLE_SSL_CONNECT_ERROR, _):
      self = .misconfigured(reason: "can't make a secure connection to the mail server")
    case (CURLE_URL_MALFORMAT, _), (CURLE_UNSUPPORTED_PROTOCOL, _):
      self = .misconfigured(reason: "the mail server's name can't be used")
    default:
      self = .retry(reason: "the mail server can't be reached (\(error))", after: nil)
    }
  }

  /// Judges a refusal for good. Only an unknown recipient is one: the rest is about the settings, or
  /// may pass.
  private init(
    refusal conversation: SMTPConversation, _ reply: String, login: SMTPLoginEnd, hasLogin: Bool
  ) {
    switch conversation.command {
    case .auth:
      self = .accessRefused(
        reason: conversation.wantsToken
          ? "the mail server takes no password, only a token:"
            + " set smtp.token_command in config.json5, \(reply)"
          : "the mail server rejected the user name or password, \(reply)")
    case .connect, .hello, .starttls:
      self = .misconfigured(reason: "the mail server refused, \(reply)")
    case .mail, .rcpt, .data:
      if login == .notOffered {
        // Nobody was refused who had logged in.
        self = .misconfigured(
          reason: "the mail server offers no login, but refuses mail without one, \(reply)")
      } else if conversation.isGreylisting {
        self = .limited(reason: conversation.greylistingReason)
      } else if conversation.isLimit {
        self = .limited(reason: "the mail server accepts no more for now, \(reply)")
      } else if conversation.needsEncryption {
        self = .misconfigured(reason: "the mail server needs encryption, \(reply)")
      } else if conversation.needsLogin, !hasLogin {
        self = .misconfigured(reason: "the mail server needs a login, \(reply)")
      } else if conversation.command == .mail {
        self = .misconfigured(reason: "the mail server refused, \(reply)")
      } else if conversation.isUnknownRecipient {
        self = .permanent(reason: "the mail server refused \(reply)")
      } else if conversation.enhancedCode?.hasPrefix("5.7.") == true {
        self = .accessRefused(reason: "the mail server refused \(reply)", scope: .message)
      } else {
        self = .retry(reason: "the mail server refused \(reply)", after: nil)
      }
    }
  }

  /// What OpenSSL found wrong with a certificate; empty if that isn't known.
  private static func complaint(_ code: Int) -> String {
    switch code {
    case 9: ": it isn't valid yet. Is this computer's clock right?"
    case 10: ": it has expired"
    case 18, 19: ": it's self-signed"
    case 2, 20, 21: ": nobody known has signed it"
    default: ""
    }
  }
}

extension SMTPConversation {
  /// Whether the server makes an unknown sender wait, however it says so.
  fileprivate var isGreylisting: Bool {
    says(["greylist", "graylist", "grey-list", "gray-list", "grey list", "gray list", "postgrey"])
  }

  fileprivate var greylistingReason: String {
    "the mail server asks to wait a few minutes, which is normal for a first message;"
      + " it's sent again (\(reply.printableLine))"
  }

  /// Whether a limit was reached: of mails in a day or hour, of a mailbox's size, of connections.
  fileprivate var isLimit: Bool {
    ["5.2.2", "5.4.5", "5.7.28", "5.1.90", "5.7.232", "5.7.233", "5.7.705"].contains(enhancedCode)
      || says([
        "limit", "quota", "too many", "exceed", "rate of", "too fast", "too quickly", "too much",
        "later", "temporar", "mailbox full", "mailbox is full",
      ])
  }

  fileprivate var isUnknownRecipient: Bool {
    if let enhancedCode {
      return ["5.1.1", "5.1.3", "5.1.6", "5.1.10"].contains(enhancedCode)
    }
    return says([
      "no such user", "no such recipient", "no such mailbox", "no such address", "user unknown",
      "unknown user", "unknown recipient", "recipient unknown", "user not found",
      "recipient not found", "mailbox not found", "does not exist", "doesn't exist",
      "invalid recipient", "no mailbox here",
    ])
  }

  fileprivate var wantsToken: Bool { says(["basic authentication is disabled", "5.7.139"]) }

  fileprivate var needsEncryption: Bool { says(["starttls", "must use tls", "requires tls"]) }

  fileprivate var needsLogin: Bool {
    code == 530 || says(["authenticat", "relay", "log in", "login", "auth required"])
  }

  private func says(_ phrases: [String]) -> Bool {
    let text = reply.lowercased()
    return phrases.contains(where: text.contains)
  }

  /// Where in the conversation the last command belongs.
  var place: String {
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

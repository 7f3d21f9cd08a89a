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
  /// The last reply in one line, as the server wrote it: the code, and the text of all lines.
  private(set) var reply = ""
  /// Whether the last reply is complete.
  private(set) var isReplyComplete = false
  /// The mechanism that was named in AUTH last.
  private(set) var mechanism: LoginMechanism?
  /// Whether the password or token was sent since then.
  private(set) var hasSentSecret = false
  /// Whether the login was accepted.
  private(set) var isLoggedIn = false
  /// The mechanisms in the last answer to EHLO; `nil` if it has no AUTH.
  private(set) var offered: [LoginMechanism]?
  /// Whether encryption was started by STARTTLS.
  private(set) var isEncrypted = false
  /// Whether the server was asked to send the message.
  private(set) var hasBegunMessage = false
  /// Whether QUIT was sent; replies after it don't matter.
  private(set) var isOver = false

  /// Notes a line that was sent. A line that isn't a command belongs to the command before it.
  mutating func note(command line: String) {
    guard !isOver else { return }
    let words = line.split(whereSeparator: \.isWhitespace)
    // The answer to a challenge is one base64 word, which looks like a command only by chance.
    switch words.first?.uppercased() {
    case "EHLO", "HELO":
      command = .hello
      offered = nil
    case "STARTTLS": command = .starttls
    case "AUTH":
      command = .auth
      mechanism = words.dropFirst().first.flatMap { LoginMechanism(rawValue: $0.uppercased()) }
      hasSentSecret = words.count > 2
    case "MAIL": command = .mail
    case "RCPT": command = .rcpt
    case "DATA": command = .data
    case "QUIT": isOver = true
    default: if command == .auth, line.first != "*" { hasSentSecret = true }
    }
  }

  /// Notes a line of a reply.
  mutating func note(reply line: String) {
    guard !isOver, let code = Int(line.prefix(3)) else { return }
    let text = line.dropFirst(4).trimmingWhitespace()
    if isReplyComplete || self.code != code || reply.isEmpty {
      reply = line.trimmingWhitespace()
      // Without the mark of a line that isn't the last.
      if reply.utf8.count > 3 { reply = "\(code) \(text)" }
    } else if reply.utf8.count < 2_048 {
      // The enhanced code, which each line repeats, stands there once.
      let code = enhancedCode ?? ""
      reply +=
        " "
        + (text.hasPrefix(code) ? text.dropFirst(code.count) : text[...])
        .trimmingWhitespace()
    }
    self.code = code
    isReplyComplete = line.dropFirst(3).first != "-"
    switch command {
    case .hello where code == 250: noteExtension(text)
    case .starttls where code == 220: isEncrypted = true
    case .auth where code == 235: isLoggedIn = true
    case .data where code == 354: hasBegunMessage = true
    default: break
    }
  }

  private mutating func noteExtension(_ text: String) {
    let words = text.uppercased().split(whereSeparator: \.isWhitespace)
    guard words.first == "AUTH" else { return }
    offered =
      (offered ?? []) + words.dropFirst().compactMap { LoginMechanism(rawValue: String($0)) }
  }

  /// The enhanced code of the last reply, such as `5.7.8` (RFC 3463); `nil` if it has none.
  var enhancedCode: String? {
    guard let word = reply.dropFirst(4).split(separator: " ").first else { return nil }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    let isCode =
      parts.count == 3 && parts[0] == reply.prefix(1)
      && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(\.isWholeNumber) }
    return isCode ? String(word) : nil
  }

  /// Whether the answer to the EHLO is complete after which nothing but the login and the message
  /// follows.
  /// - Parameter isEncryptedFirst: Whether STARTTLS comes first.
  func isReady(afterStartTLS isEncryptedFirst: Bool) -> Bool {
    command == .hello && code == 250 && isReplyComplete && (isEncrypted || !isEncryptedFirst)
  }
}

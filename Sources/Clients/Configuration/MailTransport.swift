import Domain

/// How mail leaves this machine.
public enum MailTransport: Equatable, Codable, Sendable {
  case smtp(SMTPSettings)
  case sendmail(SendmailSettings)

  /// What takes the messages: a server's name, or `/usr/sbin/sendmail`.
  public var name: String {
    switch self {
    case .smtp(let smtp): smtp.host
    case .sendmail(let sendmail): sendmail.path
    }
  }

  /// The sender's address; `nil` for the person's own.
  public var from: String? {
    switch self {
    case .smtp(let smtp): smtp.from
    case .sendmail(let sendmail): sendmail.from
    }
  }
}

extension Configuration {
  /// How mail leaves this machine; `nil` where that is not set up.
  public var mailTransport: MailTransport? {
    sendmail.map(MailTransport.sendmail) ?? smtp.map(MailTransport.smtp)
  }
}

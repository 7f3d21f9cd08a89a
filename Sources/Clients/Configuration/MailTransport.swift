import Domain

/// The way mail leaves this machine.
public enum MailTransport: Equatable, Codable, Sendable {
  case smtp(SMTPSettings)
  case sendmail(SendmailSettings)

  /// The name of the server or program that takes the messages, such as `/usr/sbin/sendmail`.
  public var name: String {
    switch self {
    case .smtp(let smtp): smtp.host
    case .sendmail(let sendmail): sendmail.path
    }
  }

  /// The sender's address, or `nil` for the person's own.
  public var from: String? {
    switch self {
    case .smtp(let smtp): smtp.from
    case .sendmail(let sendmail): sendmail.from
    }
  }
}

extension Configuration {
  /// The way mail leaves this machine, or `nil` if none is set up.
  public var mailTransport: MailTransport? {
    sendmail.map(MailTransport.sendmail) ?? smtp.map(MailTransport.smtp)
  }
}

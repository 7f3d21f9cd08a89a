public import Clients
public import Domain

/// Delivers by e-mail: writes the message and hands it in at the configured server.
public struct MailSender: Sendable {
  /// What a sender needs to know.
  public struct Settings: Equatable, Sendable {
    public var smtp: SMTPSettings
    /// A file of certificates to trust instead of the system's; for tests.
    public var certificateAuthority: String?
    /// Until the server has let us in.
    public var connectTimeout: Duration
    /// For the whole conversation.
    public var totalTimeout: Duration

    public init(
      smtp: SMTPSettings, certificateAuthority: String? = nil,
      connectTimeout: Duration = .seconds(5), totalTimeout: Duration = .seconds(30)
    ) {
      self.smtp = smtp
      self.certificateAuthority = certificateAuthority
      self.connectTimeout = connectTimeout
      self.totalTimeout = totalTimeout
    }
  }

  private let settings: Settings
  private let password: String?
  private let dateClient: DateClient

  /// - Parameter password: `nil` only for a server that asks for no login.
  public init(settings: Settings, password: String?, dateClient: DateClient) {
    self.settings = settings
    self.password = password
    self.dateClient = dateClient
  }

  /// Sends one message. The attempt runs on a thread of its own and is not cut short when the task
  /// is cancelled: its outcome has to be recorded.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    await send { smtp in
      MailMessage(
        delivery, from: smtp.from, now: dateClient.now(), calendar: dateClient.calendar)
    }
  }

  /// Sends a message that says that it is only a test.
  /// - Parameter id: Makes the message distinguishable from all others.
  public func sendTest(to address: String, id: MessageID) async -> DeliveryOutcome {
    await send { smtp in
      MailMessage(testTo: address, id: id, from: smtp.from, now: dateClient.now())
    }
  }

  /// - Parameter compose: Writes the message, or returns `nil` when the address is none.
  private func send(_ compose: (SMTPSettings) -> MailMessage?) async -> DeliveryOutcome {
    let smtp = settings.smtp
    guard smtp.security != .none || Self.loopback.contains(smtp.host) else {
      return .misconfigured(reason: "mail without encryption goes only to this machine")
    }
    guard smtp.username == nil || password?.isEmpty == false else {
      return .misconfigured(reason: "there is no password for the mail server")
    }
    guard let message = compose(smtp) else {
      return .permanent(reason: "the address is not an e-mail address")
    }
    return await OwnThread.run { [settings, password] handOver in
      SMTPTransfer.run(settings, password: password, message: message, outcome: handOver)
    } ?? .retry(reason: "no thread could be started", after: nil)
  }

  private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1", "[::1]"]
}

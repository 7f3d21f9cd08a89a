public import Clients
public import Domain
import System

/// Delivers by e-mail through the configured server.
public struct MailSender: Sendable {
  /// The settings of a sender.
  public struct Settings: Equatable, Sendable {
    public var smtp: SMTPSettings
    /// The settings of the pages behind links; `nil` if none are served.
    public var links: LinkSettings?
    /// A file of certificates to trust instead of the system's; for tests.
    public var certificateAuthority: String?
    public var limits: TransferLimits

    public init(
      smtp: SMTPSettings, links: LinkSettings? = nil, certificateAuthority: String? = nil,
      limits: TransferLimits = .init()
    ) {
      self.smtp = smtp
      self.links = links
      self.certificateAuthority = certificateAuthority
      self.limits = limits
    }
  }

  private let settings: Settings
  private let password: String?
  private let dateClient: DateClient

  /// - Parameter password: The password; `nil` only for a server without a login.
  public init(settings: Settings, password: String?, dateClient: DateClient) {
    self.settings = settings
    self.password = password
    self.dateClient = dateClient
  }

  /// Sends one message. The attempt runs on a thread of its own, and cancelling the task doesn't
  /// interrupt it: its outcome must be recorded.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let smtp = settings.smtp
    guard smtp.security != .none || Self.loopback.contains(smtp.host) else {
      return .misconfigured(reason: "mail without encryption goes only to this machine")
    }
    guard smtp.username == nil || password?.isEmpty == false else {
      return .misconfigured(reason: "the mail server needs a password and none is saved")
    }
    let message = MailMessage(
      delivery, from: smtp.from, links: settings.links, now: dateClient.now(),
      calendar: dateClient.calendar)
    guard let message else { return .permanent(reason: "the address is not an e-mail address") }
    let outcome = await send(message)
    switch outcome {
    case .permanent where message.sender.isEmpty, .misconfigured where message.sender.isEmpty:
      // Some servers refuse mail without a sender. A trace in the mailbox is better than no
      // message.
      var named = message
      named.sender = smtp.from
      return await send(named)
    default: return outcome
    }
  }

  private func send(_ message: MailMessage) async -> DeliveryOutcome {
    await OwnThread.run { [settings, password] handOver in
      SMTPTransfer.run(
        settings, smtp: settings.smtp, password: password, message: message, outcome: handOver)
    } ?? .retry(reason: "no thread could be started", after: nil)
  }

  private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1", "[::1]"]
}

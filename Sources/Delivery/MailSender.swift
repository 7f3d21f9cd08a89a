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
    public var limits: SMTPLimits

    public init(
      smtp: SMTPSettings, links: LinkSettings? = nil, certificateAuthority: String? = nil,
      limits: SMTPLimits = .init()
    ) {
      self.smtp = smtp
      self.links = links
      self.certificateAuthority = certificateAuthority
      self.limits = limits
    }
  }

  private let settings: Settings
  private let secret: String?
  private let dateClient: DateClient
  private let memory: LoginMemory

  /// - Parameter password: The password, or the token if the settings have a command for one; `nil`
  ///   only for a server without a login.
  public init(settings: Settings, password: String?, dateClient: DateClient) {
    self.init(settings: settings, secret: password, dateClient: dateClient, memory: .shared)
  }

  init(settings: Settings, secret: String?, dateClient: DateClient, memory: LoginMemory) {
    self.settings = settings
    self.secret = secret
    self.dateClient = dateClient
    self.memory = memory
  }

  /// Sends one message. The attempt runs on a thread of its own, and cancelling the task doesn't
  /// interrupt it: its outcome must be recorded.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let smtp = settings.smtp
    guard smtp.security != .none || Self.loopback.contains(smtp.host) else {
      return .misconfigured(reason: "mail without encryption goes only to this machine")
    }
    guard smtp.username == nil || secret?.isEmpty == false else {
      return .misconfigured(reason: "the mail server needs a password and none is saved")
    }
    let message = MailMessage(
      delivery, from: smtp.from, links: settings.links, now: dateClient.now(),
      calendar: dateClient.calendar)
    guard let message else { return .permanent(reason: "the address is not an e-mail address") }
    let result = await send(message)
    // Some servers refuse mail without a sender. A trace in the mailbox is better than no message.
    guard message.sender.isEmpty, result.isRefusal else { return result.outcome }
    var named = message
    named.sender = smtp.from
    return await send(named).outcome
  }

  /// Makes one attempt with the login that the server takes.
  ///
  /// A mechanism that the server refuses before it has seen the password is as good as not offered,
  /// and the next one is tried at once. A refused password isn't tried again.
  private func send(_ message: MailMessage) async -> SMTPTransfer.Result {
    guard let username = settings.smtp.username, let secret else {
      return await attempt(message, nil)
    }
    var login = SMTPLogin(
      username: username, secret: secret, isToken: settings.smtp.tokenCommand != nil)
    let key = LoginMemory.Key(settings.smtp, login)
    let known = memory.entry(key)
    login.mechanisms =
      (known?.mechanism).map { [$0] } ?? (login.isToken ? [.xoauth2] : [.plain, .login])
    var refused: Set<LoginMechanism> = []
    while true {
      var result = await attempt(message, login)
      let offered: [LoginMechanism]
      switch result.login {
      case .none, .notOffered: return result
      case .accepted(let mechanism):
        memory.note(.init(mechanism: mechanism, works: true), key)
        return result
      case .refused(let mechanism):
        memory.note(.init(after: mechanism, offered: result.offered), key)
        return result
      case .mechanismRefused(let mechanism):
        refused.insert(mechanism)
        // Once all were refused, a server gets one try at a time.
        guard known?.works != false else {
          memory.note(.init(after: mechanism, offered: result.offered), key)
          return result
        }
        offered = result.offered
      case .otherMechanisms(let mechanisms): offered = mechanisms
      }
      let next = login.preference.first { offered.contains($0) && !refused.contains($0) }
      guard let next else {
        if let last = refused.first { memory.note(.init(after: last, offered: offered), key) }
        if refused.isEmpty { result.outcome = .misconfigured(reason: login.missing(offered)) }
        return result
      }
      login.mechanisms = [next]
    }
  }

  private func attempt(_ message: MailMessage, _ login: SMTPLogin?) async -> SMTPTransfer.Result {
    let transfer = SMTPTransfer.Settings(
      smtp: settings.smtp, login: login, certificateAuthority: settings.certificateAuthority,
      limits: settings.limits)
    return await OwnThread.run { handOver in
      SMTPTransfer.run(transfer, message: message, result: handOver)
    } ?? .init(outcome: .retry(reason: "no thread could be started", after: nil))
  }

  private static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1", "[::1]"]
}

extension SMTPLogin {
  /// Why none of the mechanisms that a server offers can be used.
  fileprivate func missing(_ offered: [LoginMechanism]) -> String {
    let names = offered.map(\.rawValue).joined(separator: ", ")
    if isToken {
      return "the mail server takes no token, only \(names): remove smtp.token_command"
    }
    return offered.contains(where: LoginMechanism.forToken.contains)
      ? "the mail server takes no password, only a token (\(names)):"
        + " set smtp.token_command in config.json5"
      : "the mail server offers no login that works here"
  }
}

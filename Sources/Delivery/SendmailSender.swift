public import Clients
public import Domain
import System

/// Delivers by the system's sendmail, which reads a message from standard input and reports the
/// result as an exit code (`<sysexits.h>`).
public struct SendmailSender: Sendable {
  private let settings: SendmailSettings
  private let links: LinkSettings?
  private let dateClient: DateClient
  private let limit: Duration

  /// As long as a mail server may take for its verdict: some sendmails hold the conversation with it
  /// themselves.
  public static let limit = Duration.seconds(600)

  /// - Parameter limit: The time after which sendmail is killed.
  public init(
    settings: SendmailSettings, links: LinkSettings? = nil, dateClient: DateClient,
    limit: Duration = Self.limit
  ) {
    self.settings = settings
    self.links = links
    self.dateClient = dateClient
    self.limit = limit
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard let sender = settings.from ?? delivery.user.profile.email else {
      return .misconfigured(reason: "sendmail needs a sender: set from in config.json5")
    }
    let message = MailMessage(
      delivery, from: sender, links: links, now: dateClient.now(), calendar: dateClient.calendar)
    guard let message else { return .permanent(reason: "the address is not an e-mail address") }
    // -i: a line with only a dot doesn't end the message.
    let result = await Subprocess.run(
      settings.path, ["-i", "-f", message.sender, "--", message.recipient],
      input: message.bytes.filter { $0 != 0x0D }, within: limit)
    return DeliveryOutcome(sendmail: result)
  }
}

extension DeliveryOutcome {
  fileprivate init(sendmail result: Subprocess.Result) {
    let complaint = String(decoding: result.complaint, as: UTF8.self).printableLine
    let detail = complaint.isEmpty ? "" : ": \(complaint)"
    switch result.end {
    case .exited(0): self = .sent
    // EX_NOUSER.
    case .exited(67):
      self = .permanent(reason: "sendmail doesn't know the recipient (67)\(detail)")
    // EX_USAGE, EX_NOINPUT, EX_OSFILE, EX_CONFIG: sendmail's setup.
    case .exited(let code) where [64, 66, 72, 78].contains(code):
      self = .misconfigured(reason: "sendmail is not set up (\(code))\(detail)")
    // EX_NOPERM: programs that send through a server end with it after a refused login.
    case .exited(77):
      self = .accessRefused(reason: "sendmail was refused access (77)\(detail)")
    // EX_DATAERR: refused by a server, as if over a limit of the day.
    case .exited(65):
      self = .limited(reason: "sendmail refused the message for now (65)\(detail)")
    // EX_TEMPFAIL, and what may pass: no name server, no service, no memory, no disk space.
    case .exited(let code):
      self = .retry(reason: "sendmail asked us to try again later (\(code))\(detail)", after: nil)
    case .killed: self = .ambiguous(reason: "sendmail was killed\(detail)")
    case .tookTooLong: self = .ambiguous(reason: "sendmail took too long\(detail)")
    case .notFound:
      self = .misconfigured(reason: "config.json5 names a sendmail that doesn't exist")
    case .notStarted(let reason):
      self = .misconfigured(reason: "sendmail could not be started (\(reason))")
    }
  }
}

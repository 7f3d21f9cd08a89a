public import Clients
public import Domain
import FoundationEssentials

/// Contacts the services that notice when this machine falls silent: heartbeat checks, and messages
/// scheduled at ntfy servers (WCH-2).
public struct StandbySender: Sendable {
  private let dateClient: DateClient
  private let settings: HTTPTransfer.Settings

  public init(
    dateClient: DateClient, certificateAuthority: String? = nil, limits: TransferLimits = .heartbeat
  ) {
    self.dateClient = dateClient
    settings = .init(certificateAuthority: certificateAuthority, limits: limits)
  }

  /// Calls a heartbeat's URL.
  /// - Parameter isFailing: Whether someone could not be notified of a missed deadline.
  public func beat(_ url: String, isFailing: Bool) async -> DeliveryOutcome {
    await Heartbeat(url: url, isFailing: isFailing).send(settings, dateClient: dateClient)
  }

  /// Schedules an account's message, or cancels it.
  public func move(_ step: StandbyDuty.Step, _ duty: StandbyDuty) async -> DeliveryOutcome {
    switch step {
    case .cancel(let message): return await timer(duty, message.topic).cancel()
    case .schedule(let message):
      let name = duty.name.outgoing
      let deadline = dateClient.calendar.describeForOthers(duty.deadline.date)
      return await timer(duty, message.topic).set(
        to: message.date, title: "Nothing heard of \(name)",
        text:
          "The computer that watches \(name)'s check-ins has gone silent, so nobody knows whether"
          + " they checked in. Their deadline: \(deadline)."
          + " Please try to reach them."
      ).outcome
    }
  }

  private func timer(_ duty: StandbyDuty, _ topic: String) -> NtfyTimer {
    NtfyTimer(
      topic: topic, token: nil, identity: duty.account.uuidString.lowercased(),
      dateClient: dateClient, certificateAuthority: settings.certificateAuthority,
      limits: settings.limits)
  }
}

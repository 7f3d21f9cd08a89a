package import Clients
import Curl
public import Domain
import FoundationEssentials

/// Contacts the services that notice when this machine falls silent: heartbeat checks, and messages
/// scheduled at ntfy servers (WCH-2).
public struct StandbySender: Sendable {
  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  private let staysOutside: @Sendable (_ url: String) -> Bool

  /// - Parameter staysOutside: Whether no private address is reached for a URL, nor this machine,
  ///   unless it was there before that was refused.
  package init(
    dateClient: DateClient, http: HTTPClient = .live, limits: TransferLimits = .heartbeat,
    staysOutside: @escaping @Sendable (_ url: String) -> Bool = { _ in false }
  ) {
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.staysOutside = staysOutside
  }

  /// Calls a heartbeat's URL.
  /// - Parameters:
  ///   - isFailing: Whether someone could not be notified of a missed deadline.
  ///   - mayReachPrivate: Whether it may lead inside all the same.
  public func beat(
    _ url: String, isFailing: Bool, mayReachPrivate: Bool = false
  ) async -> DeliveryOutcome {
    await Heartbeat(url: url, isFailing: isFailing).send(
      by: http, within: limits, reach: .web(staysOutside: !mayReachPrivate && staysOutside(url)),
      dateClient: dateClient)
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
      dateClient: dateClient, http: http, limits: limits,
      staysOutside: !duty.mayReachPrivate && staysOutside(topic))
  }
}

public import Domain

/// Carries messages to their recipients; the loop's only way out of the house.
public struct Courier: Sendable {
  /// Why nothing can be carried at all – mail is not set up –, or `nil`. While there is a problem
  /// nothing is claimed, so that no attempt is spent. Asked once a turn.
  public var problem: @Sendable () async -> String?
  /// Makes one attempt. It has to end within ``MonitorLoop/Pace/lease``, whatever the server does.
  public var deliver: @Sendable (ClaimedDelivery) async -> DeliveryOutcome

  public init(
    problem: @escaping @Sendable () async -> String? = { nil },
    deliver: @escaping @Sendable (ClaimedDelivery) async -> DeliveryOutcome
  ) {
    self.problem = problem
    self.deliver = deliver
  }
}

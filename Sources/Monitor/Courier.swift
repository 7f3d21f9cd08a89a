public import Domain

/// Carries messages to their recipients; the loop's only way out of the house.
public struct Courier: Sendable {
  /// Whether anything can be carried now. Asked once a turn.
  public var readiness: @Sendable () async -> Readiness
  /// Makes one attempt. It has to end within ``MonitorLoop/Pace/lease``, whatever the server does.
  public var deliver: @Sendable (ClaimedDelivery) async -> DeliveryOutcome

  public init(
    readiness: @escaping @Sendable () async -> Readiness = { Readiness() },
    deliver: @escaping @Sendable (ClaimedDelivery) async -> DeliveryOutcome
  ) {
    self.readiness = readiness
    self.deliver = deliver
  }

  public struct Readiness: Equatable, Sendable {
    /// While this is `false` nothing is claimed, so that no attempt is spent.
    public var canDeliver: Bool
    /// What is wrong – mail is not set up, say –, for the person to read.
    public var problem: String?

    public init(canDeliver: Bool = true, problem: String? = nil) {
      self.canDeliver = canDeliver
      self.problem = problem
    }
  }
}

public import Domain

/// Delivers messages to their recipients: all that the loop sends.
public struct DeliveryService: Sendable {
  /// What can be delivered now. Asked once a turn.
  public var readiness: @Sendable () async -> Readiness
  /// Makes one attempt. It has to end within ``MonitorLoop/Pace/lease``, whatever the server does.
  public var deliver: @Sendable (ClaimedDelivery) async -> DeliveryOutcome

  /// Shows others that this monitor works, after each sign of life in the store, with the problems that
  /// it has (WCH-2). It returns at once.
  public var heartbeat: @Sendable (_ problems: [Channel.Kind: String]) -> Void

  public init(
    readiness: @escaping @Sendable () async -> Readiness = { Readiness() },
    heartbeat: @escaping @Sendable ([Channel.Kind: String]) -> Void = { _ in },
    deliver: @escaping @Sendable (ClaimedDelivery) async -> DeliveryOutcome
  ) {
    self.readiness = readiness
    self.heartbeat = heartbeat
    self.deliver = deliver
  }

  public struct Readiness: Equatable, Sendable {
    /// The kinds of channels that work. Of the others nothing is claimed, so that no attempt is spent.
    public var kinds: Set<Channel.Kind>
    /// What is wrong with a kind – mail is not set up, say –, for the person to read; it may work all
    /// the same.
    public var problems: [Channel.Kind: String]
    /// What else is wrong, and blocks nothing, for the person to read; `nil` when nothing is.
    public var notice: String?

    public init(
      kinds: Set<Channel.Kind> = Set(Channel.Kind.allCases),
      problems: [Channel.Kind: String] = [:], notice: String? = nil
    ) {
      self.kinds = kinds
      self.problems = problems
      self.notice = notice
    }

    /// All that is wrong, each thing once, in the order of the kinds; where nothing is, the notice
    /// (WCH-1).
    public var problem: MonitorProblem? {
      var texts: [String] = []
      for kind in Channel.Kind.allCases {
        if let text = problems[kind], !texts.contains(text) { texts.append(text) }
      }
      guard !texts.isEmpty else { return notice.map { MonitorProblem($0, kinds: []) } }
      return MonitorProblem(texts.joined(separator: "; "), kinds: Set(problems.keys))
    }
  }
}

public import Clients
public import Domain

/// Delivers the messages of the monitor loop to their recipients.
public struct DeliveryService: Sendable {
  /// Returns what can be delivered now. Called once per turn.
  public var readiness: @Sendable () async -> Readiness
  /// Makes one attempt, which can take as long as the server's protocol allows, but must end whatever
  /// the server does.
  ///
  /// If the task is cancelled – another monitor has the message, or this one shuts down – the attempt
  /// ends with ``DeliveryOutcome/retry(reason:after:)`` unless the message has been handed over; then
  /// it goes on to its end.
  public var deliver: @Sendable (ClaimedDelivery) async -> DeliveryOutcome

  /// Reports to outside services that this monitor works, along with its problems, after each
  /// heartbeat in the store (WCH-2). Returns at once.
  public var heartbeat: @Sendable (_ problems: [Channel.Kind: String]) -> Void

  /// Returns the way that mail takes now, or `nil` if it isn't set up or not known.
  public var mailRoute: @Sendable () async -> MailRoute?

  public init(
    readiness: @escaping @Sendable () async -> Readiness = { Readiness() },
    mailRoute: @escaping @Sendable () async -> MailRoute? = { nil },
    heartbeat: @escaping @Sendable ([Channel.Kind: String]) -> Void = { _ in },
    deliver: @escaping @Sendable (ClaimedDelivery) async -> DeliveryOutcome
  ) {
    self.readiness = readiness
    self.mailRoute = mailRoute
    self.heartbeat = heartbeat
    self.deliver = deliver
  }

  public struct Readiness: Equatable, Sendable {
    /// The kinds of channels that work. Messages on other channels aren't claimed, so that no
    /// attempt is wasted.
    public var kinds: Set<Channel.Kind>
    /// The problems of each kind, for the user to read, such as that mail is not set up. A kind
    /// with a problem can still work.
    public var problems: [Channel.Kind: String]
    /// A further problem that blocks nothing, for the user to read; `nil` if there is none.
    public var notice: String?

    public init(
      kinds: Set<Channel.Kind> = Set(Channel.Kind.allCases),
      problems: [Channel.Kind: String] = [:], notice: String? = nil
    ) {
      self.kinds = kinds
      self.problems = problems
      self.notice = notice
    }

    /// All problems, each text once, in the order of the kinds; the notice if there are none
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

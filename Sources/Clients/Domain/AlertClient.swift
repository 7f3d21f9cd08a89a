public import Composable
public import Domain

/// Alerts raised by hand, the history of all alerts, and responding to a dependent's alert.
public struct AlertClient: ClientInterface {
  /// Raises a manual alert with an optional message, or returns the one that is on already. The
  /// alert is on as soon as it is stored (ALT-3).
  @Endpoint("AlertClient.raise")
  public var raise: @Sendable (_ message: String) async throws(ClientError) -> Alert
  /// Arms an alert, which is raised after the delay unless it is stopped (ALT-7). Calling it again
  /// with the same identity changes the message and restarts the delay, up to a minute after the
  /// alert was first armed. Without a delay it is raised now. If an alert is on already, the text
  /// is sent as a second message to everyone who was notified of it.
  ///
  /// Returns the alert that another process has armed, or that is on already, if there is one.
  @Endpoint("AlertClient.arm")
  public var arm:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(ClientError) ->
      Arming
  /// Stops an armed alert: it can't be raised any more, and nobody is notified.
  /// - Throws: ``ClientError/alertAlreadyOn`` if it has been raised.
  @Endpoint("AlertClient.disarm")
  public var disarm: @Sendable (Alert.ID) async throws(ClientError) -> Void
  /// Saves an armed alert where any monitor of this machine finds it, for when the store can't be
  /// written.
  @Endpoint("AlertClient.spool")
  public var spool:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(ClientError) ->
      ArmedAlert
  /// The armed alert, now and after every change by anyone.
  @StreamEndpoint("AlertClient.observeArmed")
  public var observeArmed: @Sendable () -> AsyncThrowingStream<ArmedAlert?, any Error>
  /// Cancels the active manual alert (ALT-2). With the duress passphrase the alert seems to end and
  /// goes on (CHK-3).
  @Endpoint("AlertClient.cancel", gate: .cancelAlert)
  public var cancel: @Sendable () async throws(ClientError) -> Alert
  /// Says as a linked responder that the user is responding to a dependent's alert, and to every
  /// other that is on for the same person (ESC-2). The person is notified, but never of a silent
  /// alert.
  /// - Throws: ``ClientError/alertNotActive`` for an alert that is over, or of a person that the
  ///   user does not respond for.
  @Endpoint("AlertClient.acknowledge")
  public var acknowledge: @Sendable (Alert.ID) async throws(ClientError) -> Alert
  /// Withdraws an ``acknowledge`` as a linked responder; those who were notified of it are notified
  /// (PAGE-1). Does nothing if the user is not responding.
  /// - Throws: The errors of ``acknowledge``.
  @Endpoint("AlertClient.withdraw")
  public var withdraw: @Sendable (Alert.ID) async throws(ClientError) -> Alert
  /// Starts a drill: the whole path of an alert, with every message marked as a drill (ALT-6). It
  /// ends when everyone has been notified, or when an alert starts. If a drill is on already,
  /// returns that one. While a silent alert is on, nothing is sent and nothing looks different
  /// (ALT-8).
  /// - Throws: ``ClientError/alertIsOn`` while an alert that the person can see is on.
  @Endpoint("AlertClient.drill")
  public var drill: @Sendable () async throws(ClientError) -> Alert
  /// Ends the drill that is on.
  /// - Throws: ``ClientError/alertNotActive``.
  @Endpoint("AlertClient.endDrill")
  public var endDrill: @Sendable () async throws(ClientError) -> Alert
  /// Returns alerts with their deliveries, newest first, up to the limit.
  @Endpoint("AlertClient.history")
  public var history: @Sendable (_ limit: Int) async throws(ClientError) -> [AlertReport]
  /// ``history`` now and after every change by anyone, including the monitor.
  @StreamEndpoint("AlertClient.observe")
  public var observe: @Sendable (_ limit: Int) -> AsyncThrowingStream<[AlertReport], any Error>

  public init() {}
}

extension DependencyValues {
  public var alertClient: AlertClient {
    get { self[AlertClient.self] }
    set { self[AlertClient.self] = newValue }
  }
}

public import Composable
public import Domain

/// Alerts raised by hand, the history of all alerts, and the word of a responder to a dependent's.
public struct AlertClient: ClientInterface {
  /// Raises a manual alert with an optional message; where one is on already, returns that one. The
  /// alert is on as soon as it is stored (ALT-3).
  @Endpoint("AlertClient.raise")
  public var raise: @Sendable (_ message: String) async throws(ClientError) -> Alert
  /// Arms an alert, which is raised after the delay unless it is stopped (ALT-7); the same identity
  /// again changes its message and counts the delay from now, up to a minute after it was first
  /// armed. Without a delay it is raised now. The text of an alert that is on already goes as a second
  /// message to everybody who had the call.
  ///
  /// Where another program armed one before, returns that one, and where an alert is on, that alert.
  @Endpoint("AlertClient.arm")
  public var arm:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(ClientError) ->
      Arming
  /// Stops an alert that was begun: it can't be raised any more, and nobody is notified.
  /// - Throws: ``ClientError/alertAlreadyOn`` for one that is raised.
  @Endpoint("AlertClient.disarm")
  public var disarm: @Sendable (Alert.ID) async throws(ClientError) -> Void
  /// Keeps an armed alert where any monitor of this machine finds it, for when the store can't be
  /// written.
  @Endpoint("AlertClient.spool")
  public var spool:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(ClientError) ->
      ArmedAlert
  /// The alert that is armed, now and after every change by anyone.
  @StreamEndpoint("AlertClient.observeArmed")
  public var observeArmed: @Sendable () -> AsyncThrowingStream<ArmedAlert?, any Error>
  /// Cancels the active manual alert (ALT-2). The passphrase is that of the gate, `nil` where there
  /// is none; under duress the alert seems to end and goes on (CHK-3).
  @Endpoint("AlertClient.cancel")
  public var cancel: @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> Alert
  /// Says as a linked responder that the user is responding to a dependent's alert, and of every other
  /// that is on for the same person (ESC-2). The person is notified, but never of a silent alert.
  /// - Throws: ``ClientError/alertNotActive`` for an alert that is over, or that the user does not respond
  ///   for.
  @Endpoint("AlertClient.acknowledge")
  public var acknowledge: @Sendable (Alert.ID) async throws(ClientError) -> Alert
  /// Takes back as a linked responder what ``acknowledge`` said; those who were notified of it are notified
  /// (PAGE-1). If the user is not responding, it changes nothing.
  /// - Throws: What ``acknowledge`` throws.
  @Endpoint("AlertClient.withdraw")
  public var withdraw: @Sendable (Alert.ID) async throws(ClientError) -> Alert
  /// Begins a drill: the whole path of an alert, with every message marked as an exercise (ALT-6).
  /// It ends by itself when everybody has been notified, or when an alert begins. Where one is on already,
  /// returns that one. While a silent alert is on, nothing is sent and nothing looks different
  /// (ALT-8).
  /// - Throws: ``ClientError/alertIsOn`` while an alert is on that the person sees.
  @Endpoint("AlertClient.drill")
  public var drill: @Sendable () async throws(ClientError) -> Alert
  /// Ends the drill that is on.
  /// - Throws: ``ClientError/alertNotActive``.
  @Endpoint("AlertClient.endDrill")
  public var endDrill: @Sendable () async throws(ClientError) -> Alert
  /// Alerts with their deliveries, newest first, at most this many.
  @Endpoint("AlertClient.history")
  public var history: @Sendable (_ limit: Int) async throws(ClientError) -> [AlertReport]
  /// ``history`` now and after every change by anyone, the monitor included.
  @StreamEndpoint("AlertClient.observe")
  public var observe: @Sendable (_ limit: Int) -> AsyncThrowingStream<[AlertReport], any Error>

  public init() {}

  /// Cancels the active manual alert where there is no gate.
  public func cancel() async throws(ClientError) -> Alert { try await cancel(nil) }
}

extension DependencyValues {
  public var alertClient: AlertClient {
    get { self[AlertClient.self] }
    set { self[AlertClient.self] = newValue }
  }
}

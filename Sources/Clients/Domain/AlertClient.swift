public import Composable
public import Domain

/// Alerts raised by hand, the history of all alerts, and the word of a responder to a dependent's.
public struct AlertClient: Sendable {
  /// Raises a manual alert with an optional message; where one is on already, returns that one. The
  /// alert is on as soon as it is stored (ALT-3).
  public var raise: @Sendable (_ message: String) async throws(AlertError) -> Alert
  /// Arms an alert, which is raised after the delay unless it is stopped (ALT-7); the same identity
  /// again changes its message and counts the delay from now, up to a minute after it was first
  /// armed. Without a delay it is raised now. The text of an alert that is on already goes as a second
  /// message to everybody who had the call.
  ///
  /// Where another program armed one before, returns that one, and where an alert is on, that alert.
  public var arm:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(AlertError)
      -> Arming
  /// Stops an alert that was begun: it can't be raised any more, and nobody is notified.
  /// - Throws: ``AlertError/alreadyOn`` for one that is raised.
  public var disarm: @Sendable (Alert.ID) async throws(AlertError) -> Void
  /// Keeps an armed alert where any monitor of this machine finds it, for when the store can't be
  /// written.
  public var spool:
    @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(AlertError)
      -> ArmedAlert
  /// The alert that is armed, now and after every change by anyone.
  public var observeArmed: @Sendable () -> AsyncThrowingStream<ArmedAlert?, any Error>
  /// Cancels the active manual alert (ALT-2). The passphrase is that of the gate, `nil` where there
  /// is none; under duress the alert seems to end and goes on (CHK-3).
  public var cancel: @Sendable (_ passphrase: Secret<String>?) async throws(AlertError) -> Alert
  /// Says as a linked responder that the user takes care of a dependent's alert, and of every other
  /// that is on for the same person (ESC-2). The person is told, but of a silent alert never.
  /// - Throws: ``AlertError/notActive`` for an alert that is over, or that the user does not respond
  ///   for.
  public var acknowledge: @Sendable (Alert.ID) async throws(AlertError) -> Alert
  /// Begins a drill: the whole path of an alert, with every message marked as an exercise (ALT-6).
  /// It ends by itself when everybody has been told, or when an alert begins. Where one is on already,
  /// returns that one. While a silent alert is on, nothing is sent and nothing looks different
  /// (ALT-8).
  /// - Throws: ``AlertError/alertIsOn`` while an alert is on that the person sees.
  public var drill: @Sendable () async throws(AlertError) -> Alert
  /// Ends the drill that is on.
  /// - Throws: ``AlertError/notActive``.
  public var endDrill: @Sendable () async throws(AlertError) -> Alert
  /// Alerts with their deliveries, newest first, at most this many.
  public var history: @Sendable (_ limit: Int) async throws(AlertError) -> [AlertReport]
  /// ``history`` now and after every change by anyone, the monitor included.
  public var observe: @Sendable (_ limit: Int) -> AsyncThrowingStream<[AlertReport], any Error>

  public init(
    raise: @escaping @Sendable (String) async throws(AlertError) -> Alert,
    arm:
      @escaping @Sendable (Alert.ID, String, TimeSpan) async throws(AlertError) -> Arming,
    disarm: @escaping @Sendable (Alert.ID) async throws(AlertError) -> Void,
    spool:
      @escaping @Sendable (Alert.ID, String, TimeSpan) async throws(AlertError) -> ArmedAlert,
    observeArmed: @escaping @Sendable () -> AsyncThrowingStream<ArmedAlert?, any Error>,
    cancel: @escaping @Sendable (Secret<String>?) async throws(AlertError) -> Alert,
    acknowledge: @escaping @Sendable (Alert.ID) async throws(AlertError) -> Alert,
    drill: @escaping @Sendable () async throws(AlertError) -> Alert,
    endDrill: @escaping @Sendable () async throws(AlertError) -> Alert,
    history: @escaping @Sendable (Int) async throws(AlertError) -> [AlertReport],
    observe: @escaping @Sendable (Int) -> AsyncThrowingStream<[AlertReport], any Error>
  ) {
    self.raise = raise
    self.arm = arm
    self.disarm = disarm
    self.spool = spool
    self.observeArmed = observeArmed
    self.cancel = cancel
    self.acknowledge = acknowledge
    self.drill = drill
    self.endDrill = endDrill
    self.history = history
    self.observe = observe
  }

  /// Cancels the active manual alert where there is no gate.
  public func cancel() async throws(AlertError) -> Alert { try await cancel(nil) }
}

extension AlertClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      raise: unimplemented(
        "AlertClient.raise", throwing: AlertError.unimplemented("AlertClient.raise")),
      arm: unimplemented("AlertClient.arm", throwing: AlertError.unimplemented("AlertClient.arm")),
      disarm: unimplemented(
        "AlertClient.disarm", throwing: AlertError.unimplemented("AlertClient.disarm")),
      spool: unimplemented(
        "AlertClient.spool", throwing: AlertError.unimplemented("AlertClient.spool")),
      observeArmed: unimplemented("AlertClient.observeArmed", placeholder: .finished()),
      cancel: unimplemented(
        "AlertClient.cancel", throwing: AlertError.unimplemented("AlertClient.cancel")),
      acknowledge: unimplemented(
        "AlertClient.acknowledge", throwing: AlertError.unimplemented("AlertClient.acknowledge")),
      drill: unimplemented(
        "AlertClient.drill", throwing: AlertError.unimplemented("AlertClient.drill")),
      endDrill: unimplemented(
        "AlertClient.endDrill", throwing: AlertError.unimplemented("AlertClient.endDrill")),
      history: unimplemented(
        "AlertClient.history", throwing: AlertError.unimplemented("AlertClient.history")),
      observe: unimplemented("AlertClient.observe", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var alertClient: AlertClient {
    get { self[AlertClient.self] }
    set { self[AlertClient.self] = newValue }
  }
}

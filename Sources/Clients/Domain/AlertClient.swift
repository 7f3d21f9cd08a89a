public import Composable
public import Domain

/// Alerts raised by hand, the history of all alerts, and the word of a responder to a dependent's.
public struct AlertClient: Sendable {
  /// Raises a manual alert with an optional message; where one is on already, returns that one. The
  /// alert is on as soon as it is stored (ALT-3).
  public var raise: @Sendable (_ message: String) async throws(AlertError) -> Alert
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
    cancel: @escaping @Sendable (Secret<String>?) async throws(AlertError) -> Alert,
    acknowledge: @escaping @Sendable (Alert.ID) async throws(AlertError) -> Alert,
    drill: @escaping @Sendable () async throws(AlertError) -> Alert,
    endDrill: @escaping @Sendable () async throws(AlertError) -> Alert,
    history: @escaping @Sendable (Int) async throws(AlertError) -> [AlertReport],
    observe: @escaping @Sendable (Int) -> AsyncThrowingStream<[AlertReport], any Error>
  ) {
    self.raise = raise
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

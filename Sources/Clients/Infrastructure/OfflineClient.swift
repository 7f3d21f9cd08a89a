public import Composable
public import Domain

/// What waits on this device for the server that it has joined (OFF-1). A device with accounts of
/// its own has nothing that waits.
public struct OfflineClient: Sendable {
  /// What happened to a check-in that waited.
  public struct Delivery: Equatable, Sendable {
    public var checkIn: Outbox.CheckIn
    /// The person as the server answered; `nil` if it is refused or still waits, or was received
    /// before.
    public var user: User?
    /// Whether the server has received it.
    public var isReceived: Bool
    /// Why it wasn't received.
    public var error: ErrorText?

    public init(
      checkIn: Outbox.CheckIn, user: User? = nil, isReceived: Bool, error: ErrorText? = nil
    ) {
      (self.checkIn, self.user, self.isReceived, self.error) = (checkIn, user, isReceived, error)
    }
  }

  /// What happened to an alert that waited, or to the stop of one.
  public struct AlertDelivery: Equatable, Sendable {
    public enum Result: Equatable, Sendable {
      case sent, stopped
      /// It was stopped too late.
      case isOn
      case waits
    }

    public var alert: Outbox.Alert
    public var result: Result

    public init(alert: Outbox.Alert, result: Result) { (self.alert, self.result) = (alert, result) }
  }

  public var outbox: @Sendable () -> Outbox = { Outbox() }
  /// ``outbox`` now and after every change by any program of this device. In the meantime it is sent,
  /// as soon as the server answers.
  public var observe: @Sendable () -> AsyncStream<Outbox> = { AsyncStream { $0.finish() } }
  /// Sends the alerts that wait and the stops of some, once.
  public var sendAlerts: @Sendable () async -> [AlertDelivery] = { [] }
  /// Sends the check-ins that wait, once.
  /// - Returns: The result for each, in the order in which they were made; empty if another program
  ///   is sending them.
  public var sync: @Sendable () async -> [Delivery] = { [] }
  /// Forgets a check-in that was refused and that the person has seen.
  public var dismiss: @Sendable (Outbox.CheckIn.ID) async -> Void = { _ in }
  /// Starts a program that sends what waits even if this one ends (OFF-5).
  public var startSync: @Sendable () -> Void = {}
  /// The names of files that wait and that this program can't read, or that are for another server.
  public var strangers: @Sendable () -> [String] = { [] }

  public init() {}

  /// Creates a client whose closures a platform provides.
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}

extension OfflineClient: DependencyKey {
  public static var liveValue: Self { Self() }
  public static var testValue: Self { Self() }
}

extension DependencyValues {
  public var offlineClient: OfflineClient {
    get { self[OfflineClient.self] }
    set { self[OfflineClient.self] = newValue }
  }
}

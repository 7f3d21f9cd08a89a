/// Time limits for a request to a web server, in which one that is far away or busy still answers.
public struct TransferLimits: Equatable, Sendable {
  /// The time to find the server and connect, including encryption.
  public var connect: Duration
  /// The time for the whole request, most of which can pass before the answer begins. After it, the
  /// message may have been sent.
  public var total: Duration

  /// - Parameters:
  ///   - connect: By default, a name server that is silent and a satellite's delay fit.
  ///   - total: By default, a server that answers after a minute succeeds.
  public init(connect: Duration = .seconds(30), total: Duration = .seconds(120)) {
    self.connect = connect
    self.total = total
  }

  /// The limits of a heartbeat, which the next one follows in a minute.
  public static let heartbeat = TransferLimits(connect: .seconds(20), total: .seconds(50))
}

/// Time limits for an exchange with a server.
public struct TransferLimits: Equatable, Sendable {
  /// The time to connect, including encryption.
  public var connect: Duration
  /// The time for the whole exchange.
  public var total: Duration

  public init(connect: Duration = .seconds(5), total: Duration = .seconds(30)) {
    self.connect = connect
    self.total = total
  }
}

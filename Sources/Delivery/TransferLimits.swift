/// How long an exchange with a server may take.
public struct TransferLimits: Equatable, Sendable {
  /// Until there is a connection, encrypted where it is to be.
  public var connect: Duration
  /// For the whole exchange.
  public var total: Duration

  public init(connect: Duration = .seconds(5), total: Duration = .seconds(30)) {
    self.connect = connect
    self.total = total
  }
}

/// Time limits of a conversation with a mail server, each for one thing that is waited for
/// (RFC 5321 §4.5.3.2). A slow server costs time, but never the message.
public struct SMTPLimits: Equatable, Sendable {
  /// Looking up the name and connecting, all addresses together. A silent name server costs 5 s, a
  /// dead address 15 s.
  public var connect: Duration
  /// The time after which a second connection starts beside a first one that hasn't been greeted.
  public var secondConnection: Duration
  /// The greeting, including encryption from the first byte.
  public var greeting: Duration
  /// The answer to each command.
  public var command: Duration
  /// Each part of the message.
  public var block: Duration
  /// The verdict after the final dot.
  public var verdict: Duration

  public init(
    connect: Duration = .seconds(120), secondConnection: Duration = .seconds(30),
    greeting: Duration = .seconds(300), command: Duration = .seconds(300),
    block: Duration = .seconds(180), verdict: Duration = .seconds(600)
  ) {
    self.connect = connect
    self.secondConnection = secondConnection
    self.greeting = greeting
    self.command = command
    self.block = block
    self.verdict = verdict
  }
}

public import Domain
public import FoundationEssentials

/// What a damaged store still says of whom to notify that it watches over nobody.
public struct UnwatchedClient: Sendable {
  /// A message to every owner and every responder that can still be read, without those that were sent
  /// since the damage was found: also by another process, or before this one was started.
  public var messages: @Sendable (_ now: Date) async -> [ClaimedDelivery]
  /// Notes that a message was sent.
  public var noteSent: @Sendable (_ message: UUID) async -> Void
  /// Notes that the store is in order again.
  public var end: @Sendable () async -> Void

  public init(
    messages: @escaping @Sendable (Date) async -> [ClaimedDelivery],
    noteSent: @escaping @Sendable (UUID) async -> Void, end: @escaping @Sendable () async -> Void
  ) {
    self.messages = messages
    self.noteSent = noteSent
    self.end = end
  }
}

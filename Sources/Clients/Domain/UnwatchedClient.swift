public import Domain
public import FoundationEssentials

/// What a damaged store still says of who to notify: that it watches over nobody, and of alerts that
/// were begun since (ALT-7).
public struct UnwatchedClient: Sendable {
  /// A message to every owner and every responder that can still be read, without those that were sent
  /// since the damage was found: also by another process, or before this one was started.
  public var messages: @Sendable (_ now: Date) async -> [ClaimedDelivery]
  /// The calls of alerts that wait in files and are due, to every responder that can still be read,
  /// without those that were sent. They are the ones that the store would plan.
  public var calls: @Sendable (_ now: Date) async -> [ClaimedDelivery]
  /// Whether anybody can still be read of the store.
  public var namesAnybody: @Sendable () async -> Bool
  /// Whether this process, and from now on no other one, is to send the calls.
  public var begin: @Sendable () -> Bool
  /// Notes that a message was sent.
  public var noteSent: @Sendable (_ message: UUID) async -> Void
  /// Notes that the store is in order again.
  public var end: @Sendable () async -> Void

  public init(
    messages: @escaping @Sendable (Date) async -> [ClaimedDelivery],
    calls: @escaping @Sendable (Date) async -> [ClaimedDelivery] = { _ in [] },
    namesAnybody: @escaping @Sendable () async -> Bool = { true },
    begin: @escaping @Sendable () -> Bool = { true },
    noteSent: @escaping @Sendable (UUID) async -> Void, end: @escaping @Sendable () async -> Void
  ) {
    self.messages = messages
    self.calls = calls
    self.namesAnybody = namesAnybody
    self.begin = begin
    self.noteSent = noteSent
    self.end = end
  }
}

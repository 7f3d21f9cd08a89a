public import Domain
public import FoundationEssentials

/// The messages that a damaged store still allows: that it is not watched, and alerts that were
/// armed since (ALT-7).
public struct DamagedStoreClient: Sendable {
  /// Returns a message to every owner and every responder that can still be read, except those sent
  /// since the damage was found, by this process or another one.
  public var messages: @Sendable (_ now: Date) async -> [ClaimedDelivery]
  /// Returns the calls of alerts that wait in files and are due, to every responder that can still
  /// be read, except those already sent. They are the same as the store would plan.
  public var calls: @Sendable (_ now: Date) async -> [ClaimedDelivery]
  /// Returns whether anyone can still be read from the store.
  public var hasReadablePeople: @Sendable () async -> Bool
  /// Claims the sending of calls for this process, from now on for no other, and returns whether it
  /// may send them.
  public var claimCalls: @Sendable () -> Bool
  /// Records that a message was sent.
  public var noteSent: @Sendable (_ message: UUID) async -> Void
  /// Records that the store works again.
  public var markRepaired: @Sendable () async -> Void

  public init(
    messages: @escaping @Sendable (Date) async -> [ClaimedDelivery],
    calls: @escaping @Sendable (Date) async -> [ClaimedDelivery] = { _ in [] },
    hasReadablePeople: @escaping @Sendable () async -> Bool = { true },
    claimCalls: @escaping @Sendable () -> Bool = { true },
    noteSent: @escaping @Sendable (UUID) async -> Void,
    markRepaired: @escaping @Sendable () async -> Void
  ) {
    self.messages = messages
    self.calls = calls
    self.hasReadablePeople = hasReadablePeople
    self.claimCalls = claimCalls
    self.noteSent = noteSent
    self.markRepaired = markRepaired
  }
}

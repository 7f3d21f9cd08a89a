/// Sends actions from an effect back into the store: `await send(.checkedIn)`.
///
/// The call returns once the action has been reduced. After the effect is cancelled or the store is
/// gone, sending does nothing.
public struct Send<Action: Sendable>: Sendable {
  private let deliver: nonisolated(nonsending) @Sendable (Action) async -> Void

  /// Creates a sender that passes its actions to a function.
  public init(_ deliver: nonisolated(nonsending) @escaping @Sendable (Action) async -> Void) {
    self.deliver = deliver
  }

  /// Sends an action and waits until it has been reduced.
  public nonisolated(nonsending) func callAsFunction(_ action: Action) async {
    guard !Task.isCancelled else { return }
    await deliver(action)
  }

  /// Returns a sender of other actions, each transformed into an action of this one.
  func pullback<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action
  ) -> Send<Other> {
    Send<Other> { await deliver(transform($0)) }
  }
}

/// What a send has started: its effects, the actions that they send, and their effects.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  /// Waits until all of it has ended. If the waiting task is cancelled, so is all of it.
  public nonisolated(nonsending) func finish() async {
    await group?.finish()
  }

  /// Ends all of it, and all that would follow from it.
  @MainActor public func cancel() { group?.cancel() }

  /// Whether it was cancelled.
  @MainActor public var isCancelled: Bool { group?.isCancelled ?? false }

  /// Whether all of it has ended.
  @MainActor public var isFinished: Bool { group?.isFinished ?? true }
}

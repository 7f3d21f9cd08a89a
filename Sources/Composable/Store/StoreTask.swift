/// A handle to everything that a send started: its effects, the actions that they send, and so on.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  init(group: EffectGroup?) { self.group = group }

  /// The handle of a send that was ignored. It is already finished.
  package static let nothing = Self(group: nil)

  /// Waits until everything has ended. Cancelling the waiting task cancels all of it.
  public nonisolated(nonsending) func finish() async {
    await group?.finish()
  }

  /// Cancels everything that was started, and prevents anything that would follow from it.
  @MainActor public func cancel() { group?.cancel() }

  /// Whether it was cancelled.
  @MainActor public var isCancelled: Bool { group?.isCancelled ?? false }

  /// Whether everything has ended.
  @MainActor public var isFinished: Bool { group?.isFinished ?? true }
}

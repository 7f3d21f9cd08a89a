/// Everything that follows from one send: its effects, the actions that they send, and so on.
@MainActor
final class EffectGroup {
  private var effects: [ObjectIdentifier: RunningEffect] = [:]
  private var pendingActions = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Whether the whole group was cancelled.
  private(set) var isCancelled = false

  /// Whether no effect is running and no action is waiting.
  var isFinished: Bool { effects.isEmpty && pendingActions == 0 }

  func insert(_ effect: RunningEffect) { effects[ObjectIdentifier(effect)] = effect }

  func remove(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = nil
    resumeIfFinished()
  }

  func addPendingAction() { pendingActions += 1 }

  func removePendingAction() {
    pendingActions -= 1
    resumeIfFinished()
  }

  /// Cancels the running effects and everything that would follow from them.
  func cancel() {
    isCancelled = true
    for effect in effects.values { effect.cancel() }
  }

  /// Waits until the group is finished. Cancelling the waiting task cancels the group.
  func finish() async {
    guard !isFinished else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting.append($0) }
    } onCancel: {
      Task { @MainActor in cancel() }
    }
  }

  private func resumeIfFinished() {
    guard isFinished, !waiting.isEmpty else { return }
    let continuations = waiting
    waiting = []
    for continuation in continuations { continuation.resume() }
  }
}

/// All that follows from one send: its effects, the actions that they send, their effects.
@MainActor
final class EffectGroup {
  private var effects: [ObjectIdentifier: RunningEffect] = [:]
  private var pendingActions = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Whether all of it was cancelled.
  private(set) var isCancelled = false

  /// Whether nothing of it is left.
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

  /// Ends all of it, and all that would follow.
  func cancel() {
    isCancelled = true
    for effect in effects.values { effect.cancel() }
  }

  /// Waits until nothing of it is left. If the waiting task is cancelled, so is all of it.
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

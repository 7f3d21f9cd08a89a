/// An effect that a store has registered. It exists from the turn that returned it until it has
/// ended.
@MainActor
final class RunningEffect {
  /// Where the effect was made; `nil` for a sequence of effects.
  let location: IssueLocation?
  /// The effect's task; `nil` for a sequence of effects, and until the task is created.
  var task: Task<Void, Never>?
  private(set) var isCancelled = false
  /// Whether the work has ended. Anything it sends afterwards is reported as an issue.
  private(set) var hasEnded = false
  /// Whether a dismissal waits for it.
  var holdsDismissal: Bool

  private let context: EffectContext
  private let group: EffectGroup

  init(
    location: IssueLocation?, holdsDismissal: Bool, context: EffectContext, group: EffectGroup
  ) {
    self.location = location
    self.holdsDismissal = holdsDismissal
    self.context = context
    self.group = group
    context.scope.insert(self)
    for entry in context.ids { entry.scope.insert(self, id: entry.id) }
    group.insert(self)
    context.step?.begin()
  }

  /// A description for tools; `nil` for a sequence of effects, whose steps are listed instead.
  var description: EffectInFlight? {
    location.map { EffectInFlight(location: $0, ids: context.ids.map(\.id.name)) }
  }

  /// Cancels the effect. Actions that it sends from now on are dropped.
  func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    task?.cancel()
  }

  /// Removes the effect, which has ended, from the store's table. If it was the last of a step, the
  /// next step begins.
  func end() {
    hasEnded = true
    context.step?.end()
    for entry in context.ids { entry.scope.remove(self, id: entry.id) }
    context.scope.remove(self)
    group.remove(self)
  }
}

/// The scope, ids, group and step that an effect belongs to.
@MainActor
struct EffectContext {
  /// The scope of the child that returned the effect.
  var scope: EffectScope
  /// The ids that can cancel the effect, each with the scope that owns it.
  var ids: [(scope: EffectScope, id: CancelID)] = []
  /// The group of the send that caused the effect; `nil` for the send that began the turn.
  var group: EffectGroup?
  /// The step that the effect is a part of, in a sequence.
  var step: EffectStep?
}

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

/// One step of `Effect.concatenate`. The next step begins when its last effect ends.
@MainActor
final class EffectStep {
  private var running = 0
  private let next: () -> Void

  init(next: @escaping () -> Void) { self.next = next }

  func begin() { running += 1 }

  func end() {
    if endOne() { next() }
  }

  /// Ends one effect without beginning the next step.
  ///
  /// - Returns: Whether it was the last one.
  func endOne() -> Bool {
    running -= 1
    return running == 0
  }
}

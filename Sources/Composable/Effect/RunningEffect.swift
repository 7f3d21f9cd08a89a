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

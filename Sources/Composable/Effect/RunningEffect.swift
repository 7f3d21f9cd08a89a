/// An effect that a store has registered: from the turn in which it was returned until it has ended.
@MainActor
final class RunningEffect {
  /// Where the effect was made; `nil` for a sequence of effects.
  let location: IssueLocation?
  /// Its task; `nil` for a sequence of effects, and until the task is made.
  var task: Task<Void, Never>?
  private(set) var isCancelled = false
  /// Whether its work is over: it sends nothing any more.
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

  /// What is to be seen of it from outside; `nil` for a sequence of effects, whose steps are seen.
  var description: EffectInFlight? {
    location.map { EffectInFlight(location: $0, ids: context.ids.map(\.id.name)) }
  }

  /// Ends the effect: what it sends from now on is dropped.
  func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    task?.cancel()
  }

  /// Takes the effect, which has ended, out of the store's table. If it was the last of a step, the
  /// next step begins.
  func end() {
    hasEnded = true
    context.step?.end()
    for entry in context.ids { entry.scope.remove(self, id: entry.id) }
    context.scope.remove(self)
    group.remove(self)
  }
}

/// What an effect belongs to.
@MainActor
struct EffectContext {
  /// The child that returned it.
  var scope: EffectScope
  /// The ids that cancel it, and the children that own them.
  var ids: [(scope: EffectScope, id: CancelID)] = []
  /// The send that caused it; `nil` for the one that began the turn.
  var group: EffectGroup?
  /// The step of a sequence of which it is a part.
  var step: EffectStep?
}

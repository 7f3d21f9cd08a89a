/// The actions that wait to be reduced: first in, first out, each in constant time.
///
/// It is a chain of objects, and knows nothing of the type of the actions: so a store can let an
/// action wait without asking for the layout of generic types.
@MainActor
struct ActionQueue {
  private var first: PendingAction?
  private var last: PendingAction?

  var isEmpty: Bool { first == nil }

  mutating func append(_ action: PendingAction) {
    if let last { last.next = action } else { first = action }
    last = action
  }

  mutating func popFirst() -> PendingAction? {
    guard let action = first else { return nil }
    first = action.next
    action.next = nil
    if first == nil { last = nil }
    return action
  }
}

/// What belongs to an action that waits.
@MainActor
class PendingAction {
  fileprivate var next: PendingAction?

  /// Who sent it.
  let origin: ActionOrigin
  /// The child whose effect sent it.
  let scope: EffectScope?
  /// What it belongs to; `nil` for the send that began the turn.
  let group: EffectGroup?

  init(origin: ActionOrigin, scope: EffectScope? = nil, group: EffectGroup? = nil) {
    self.origin = origin
    self.scope = scope
    self.group = group
  }

  /// Whether it was cancelled while it waited.
  var isCancelled: Bool { scope?.isCancelled == true || group?.isCancelled == true }
}

/// An action that waits.
@MainActor
final class QueuedAction<Action: Sendable>: PendingAction {
  let action: Action

  init(
    _ action: Action, origin: ActionOrigin, scope: EffectScope? = nil, group: EffectGroup? = nil
  ) {
    self.action = action
    super.init(origin: origin, scope: scope, group: group)
  }
}

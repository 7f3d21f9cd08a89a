/// A first-in, first-out queue of the actions waiting to be reduced. Both ends take constant time.
///
/// A linked list of objects that doesn't know the type of the actions, so that queueing an action
/// never needs the runtime layout of a generic type.
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

/// The type-independent part of a queued action.
@MainActor
class PendingAction {
  fileprivate var next: PendingAction?

  /// Where the action came from.
  let origin: ActionOrigin
  /// The child whose effect sent the action; `nil` if no effect did.
  let scope: EffectScope?
  /// The group of the send that the action follows from; `nil` for the send that began the turn.
  let group: EffectGroup?

  init(origin: ActionOrigin, scope: EffectScope? = nil, group: EffectGroup? = nil) {
    self.origin = origin
    self.scope = scope
    self.group = group
  }

  /// Whether the action was cancelled while it waited.
  var isCancelled: Bool { scope?.isCancelled == true || group?.isCancelled == true }
}

/// A queued action, with its value.
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

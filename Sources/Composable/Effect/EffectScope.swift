/// The running effects of one child, and below it the scopes of the child's own children.
///
/// The root's scope is the store's table of effects. A child's scope exists only while something in
/// the child is running, so an idle store has an empty table.
@MainActor
@usableFromInline
final class EffectScope {
  private weak var parent: EffectScope?
  private let key: ScopeKey?
  private var children: [ObjectIdentifier: [ChildIdentity: EffectScope]] = [:]
  private var effects: [ObjectIdentifier: RunningEffect] = [:]
  private var cancellable: [CancelID: [ObjectIdentifier: RunningEffect]] = [:]
  private var pendingActions = 0
  private var throttles: [CancelID: AnyThrottleWindow] = [:]
  /// The dismissals of the child that are waiting for requests to be answered.
  private var dismissals: [AsyncStream<Void>.Continuation] = []

  /// Whether the child is gone. Its effects are cancelled, and the actions that they send are
  /// dropped.
  private(set) var isCancelled = false

  init(parent: EffectScope? = nil, key: ScopeKey? = nil) {
    self.parent = parent
    self.key = key
  }

  // MARK: Children

  /// Whether anything is running in any child.
  var hasChildren: Bool { !children.isEmpty }

  /// Returns the scope of a child, creating it if nothing is running there yet.
  func makeChild(_ key: ScopeKey) -> EffectScope {
    if let child = children[ObjectIdentifier(key.owner)]?[key.child] { return child }
    let child = EffectScope(parent: self, key: key)
    children[ObjectIdentifier(key.owner), default: [:]][key.child] = child
    return child
  }

  // The following are called by reducers. They run on the main actor, but their closures can't be
  // declared `@MainActor`, because such a closure can't capture a reducer that isn't `Sendable`.

  /// Returns whether anything is running in the children of an operator.
  nonisolated func hasChildren(of owner: OperatorID) -> Bool {
    MainActor.assumeIsolated { children[ObjectIdentifier(owner)] != nil }
  }

  /// Returns the scope of a child, or `nil` if nothing is running in it.
  nonisolated func child(_ child: ChildIdentity, of owner: OperatorID) -> EffectScope? {
    MainActor.assumeIsolated { children[ObjectIdentifier(owner)]?[child] }
  }

  /// Returns the scopes of an operator's children in which something is running.
  nonisolated func children(of owner: OperatorID) -> [ChildIdentity: EffectScope] {
    MainActor.assumeIsolated { children[ObjectIdentifier(owner)] ?? [:] }
  }

  /// Cancels everything that is running in an operator's children, except in one.
  nonisolated func cancelChildren(of owner: OperatorID, except kept: ChildIdentity? = nil) {
    MainActor.assumeIsolated {
      for child in (children[ObjectIdentifier(owner)] ?? [:]).keys where child != kept {
        cancelChild(child, of: owner)
      }
    }
  }

  /// Cancels everything that is running in a child.
  nonisolated func cancelChild(_ child: ChildIdentity, of owner: OperatorID) {
    MainActor.assumeIsolated {
      let owner = ObjectIdentifier(owner)
      children[owner]?.removeValue(forKey: child)?.cancelAll()
      if children[owner]?.isEmpty == true { children[owner] = nil }
      removeIfEmpty()
    }
  }

  /// Cancels everything that is running here and below.
  func cancelAll() {
    isCancelled = true
    for effect in effects.values { effect.cancel() }
    for scopes in children.values {
      for scope in scopes.values { scope.cancelAll() }
    }
  }

  // MARK: Effects

  /// Whether nothing at all is registered here and below.
  var isEmpty: Bool {
    effects.isEmpty && cancellable.isEmpty && children.isEmpty && pendingActions == 0
      && throttles.isEmpty
  }

  /// Whether no effect is running and no action is waiting, here and below.
  var isIdle: Bool {
    effects.isEmpty && pendingActions == 0
      && children.values.allSatisfy { $0.values.allSatisfy(\.isIdle) }
  }

  /// The number of effects running here and below.
  var count: Int {
    children.values.reduce(effects.count) { sum, scopes in
      scopes.values.reduce(sum) { $0 + $1.count }
    }
  }

  /// All effects running here and below.
  var all: [RunningEffect] {
    Array(effects.values) + children.values.flatMap { $0.values.flatMap(\.all) }
  }

  /// Registers a running effect of this child.
  func insert(_ effect: RunningEffect) { effects[ObjectIdentifier(effect)] = effect }

  /// Removes an effect that has ended.
  func remove(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = nil
    dismissIfReady()
    removeIfEmpty()
  }

  /// Registers an effect under an id that can cancel it.
  func insert(_ effect: RunningEffect, id: CancelID) {
    cancellable[id, default: [:]][ObjectIdentifier(effect)] = effect
  }

  /// Removes an effect that has ended from an id.
  func remove(_ effect: RunningEffect, id: CancelID) {
    guard cancellable[id] != nil else { return }
    cancellable[id]?[ObjectIdentifier(effect)] = nil
    if cancellable[id]?.isEmpty == true { cancellable[id] = nil }
    removeIfEmpty()
  }

  /// Cancels the effects with an id here and below.
  func cancel(_ id: CancelID) {
    throttles[id]?.cancel()
    if let effects = cancellable.removeValue(forKey: id) {
      for effect in effects.values { effect.cancel() }
    }
    for scopes in children.values {
      for scope in scopes.values { scope.cancel(id) }
    }
  }

  // MARK: Dismissals

  /// Whether something that delays a dismissal is running here or below.
  private var holdsDismissals: Bool {
    effects.values.contains(where: \.holdsDismissal)
      || children.values.contains { $0.values.contains(where: \.holdsDismissals) }
  }

  /// Adds a dismissal of the child that an operator presents. That child is this one or one that
  /// contains it.
  func add(_ dismissal: AsyncStream<Void>.Continuation, of presenter: OperatorID) {
    if key?.owner !== presenter, let parent { return parent.add(dismissal, of: presenter) }
    dismissals.append(dismissal)
    dismissIfReady()
  }

  /// Calls off the dismissals of this child and of all that contain it.
  func callOffDismissals() {
    for dismissal in dismissals { dismissal.finish() }
    dismissals = []
    parent?.callOffDismissals()
  }

  /// Dismisses this child, and those that contain it, unless a request is still running.
  private func dismissIfReady() {
    if !dismissals.isEmpty, !holdsDismissals {
      for dismissal in dismissals {
        dismissal.yield()
        dismissal.finish()
      }
      dismissals = []
    }
    parent?.dismissIfReady()
  }

  // MARK: Throttled effects

  /// Returns the throttle window of an id, or `nil` if none is tracked.
  func throttleWindow(_ id: CancelID) -> AnyThrottleWindow? { throttles[id] }

  /// Removes the throttle window of an id if it has closed.
  ///
  /// - Returns: Whether the window is still open.
  func keepsThrottleWindow(_ id: CancelID) -> Bool {
    if !isCancelled, throttles[id]?.isOpen == true { return true }
    throttles[id] = nil
    removeIfEmpty()
    return false
  }

  /// Sets the throttle window of an id.
  func setThrottleWindow(_ id: CancelID, _ window: AnyThrottleWindow) { throttles[id] = window }

  // MARK: Waiting actions

  /// Counts an action of this child that is waiting to be reduced.
  func addPendingAction() { pendingActions += 1 }

  /// Removes an action that is no longer waiting.
  func removePendingAction() {
    pendingActions -= 1
    removeIfEmpty()
  }

  /// Removes this scope from its parent if nothing is left in it.
  func removeIfEmpty() {
    guard isEmpty, let parent, let key else { return }
    // A cancelled scope may have been replaced by a new one with the same key.
    if parent.children[ObjectIdentifier(key.owner)]?[key.child] === self {
      parent.children[ObjectIdentifier(key.owner)]?[key.child] = nil
      if parent.children[ObjectIdentifier(key.owner)]?.isEmpty == true {
        parent.children[ObjectIdentifier(key.owner)] = nil
      }
    }
    parent.removeIfEmpty()
  }
}

/// Identifies the child that an effect belongs to.
@usableFromInline
struct ScopeKey: Sendable {
  /// The operator that runs the child.
  let owner: OperatorID
  /// Which of the operator's children it is.
  let child: ChildIdentity
}

/// Distinguishes a child from another that takes its place.
@usableFromInline
struct ChildIdentity: Hashable, @unchecked Sendable {
  // Sendable: reducers make it and the store reads it, both on the main actor. In between it
  // travels only inside an effect, where nothing else can reach it.
  let value: AnyHashable

  init(_ value: some Hashable) { self.value = AnyHashable(value) }

  /// The identity of an operator's only child, if the child has no identity itself.
  @usableFromInline
  static let single = ChildIdentity(0)
}

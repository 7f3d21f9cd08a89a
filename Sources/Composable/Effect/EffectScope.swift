/// The running effects of one child, and below it those of the child's children.
///
/// The root's scope is the store's table of effects. A child's scope exists only while something of
/// the child runs, so an idle store holds an empty table.
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
  /// The dismissals of the child that wait for the answers of requests.
  private var dismissals: [AsyncStream<Void>.Continuation] = []

  /// Whether the child is gone: its effects are cancelled and what they send is dropped.
  private(set) var isCancelled = false

  init(parent: EffectScope? = nil, key: ScopeKey? = nil) {
    self.parent = parent
    self.key = key
  }

  // MARK: Children

  /// Whether anything of any child runs.
  var hasChildren: Bool { !children.isEmpty }

  /// The scope of a child, made if nothing of it runs yet.
  func makeChild(_ key: ScopeKey) -> EffectScope {
    if let child = children[ObjectIdentifier(key.node)]?[key.child] { return child }
    let child = EffectScope(parent: self, key: key)
    children[ObjectIdentifier(key.node), default: [:]][key.child] = child
    return child
  }

  // These are called by nodes, which run on the main actor but cannot say so, because a closure that
  // says it may hold nothing of a reducer.

  /// Whether anything runs in a child of an operator.
  nonisolated func hasChildren(of node: NodeIdentity) -> Bool {
    MainActor.assumeIsolated { children[ObjectIdentifier(node)] != nil }
  }

  /// The scope of a child in which something runs.
  nonisolated func child(_ child: ChildIdentity, of node: NodeIdentity) -> EffectScope? {
    MainActor.assumeIsolated { children[ObjectIdentifier(node)]?[child] }
  }

  /// The scopes of an operator's children in which something runs.
  nonisolated func children(of node: NodeIdentity) -> [ChildIdentity: EffectScope] {
    MainActor.assumeIsolated { children[ObjectIdentifier(node)] ?? [:] }
  }

  /// Cancels all that runs in an operator's children, except in one.
  nonisolated func cancelChildren(of node: NodeIdentity, except kept: ChildIdentity? = nil) {
    MainActor.assumeIsolated {
      for child in (children[ObjectIdentifier(node)] ?? [:]).keys where child != kept {
        cancelChild(child, of: node)
      }
    }
  }

  /// Cancels all that runs in a child.
  nonisolated func cancelChild(_ child: ChildIdentity, of node: NodeIdentity) {
    MainActor.assumeIsolated {
      let node = ObjectIdentifier(node)
      children[node]?.removeValue(forKey: child)?.cancelAll()
      if children[node]?.isEmpty == true { children[node] = nil }
      trim()
    }
  }

  /// Cancels all that runs here and below.
  func cancelAll() {
    isCancelled = true
    for effect in effects.values { effect.cancel() }
    for scopes in children.values {
      for scope in scopes.values { scope.cancelAll() }
    }
  }

  // MARK: Effects

  /// Whether nothing is noted here and below.
  var isEmpty: Bool {
    effects.isEmpty && cancellable.isEmpty && children.isEmpty && pendingActions == 0
      && throttles.isEmpty
  }

  /// Whether nothing runs here and below.
  var isIdle: Bool {
    effects.isEmpty && pendingActions == 0
      && children.values.allSatisfy { $0.values.allSatisfy(\.isIdle) }
  }

  /// How many effects run here and below.
  var count: Int {
    children.values.reduce(effects.count) { sum, scopes in
      scopes.values.reduce(sum) { $0 + $1.count }
    }
  }

  /// All effects that run here and below.
  var all: [RunningEffect] {
    Array(effects.values) + children.values.flatMap { $0.values.flatMap(\.all) }
  }

  /// Notes a running effect of this child.
  func insert(_ effect: RunningEffect) { effects[ObjectIdentifier(effect)] = effect }

  /// Forgets an effect that has ended.
  func remove(_ effect: RunningEffect) {
    effects[ObjectIdentifier(effect)] = nil
    letDismiss()
    trim()
  }

  /// Notes that an effect can be cancelled by an id.
  func insert(_ effect: RunningEffect, id: CancelID) {
    cancellable[id, default: [:]][ObjectIdentifier(effect)] = effect
  }

  /// Forgets that an effect can be cancelled by an id.
  func remove(_ effect: RunningEffect, id: CancelID) {
    guard cancellable[id] != nil else { return }
    cancellable[id]?[ObjectIdentifier(effect)] = nil
    if cancellable[id]?.isEmpty == true { cancellable[id] = nil }
    trim()
  }

  /// Cancels the effects of an id here and below.
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

  /// Whether something runs here or below that a dismissal waits for.
  private var holdsDismissals: Bool {
    effects.values.contains(where: \.holdsDismissal)
      || children.values.contains { $0.values.contains(where: \.holdsDismissals) }
  }

  /// Notes a dismissal of the child that an operator presents: this one, or one that it is in.
  func add(_ dismissal: AsyncStream<Void>.Continuation, of presenter: NodeIdentity) {
    if key?.node !== presenter, let parent { return parent.add(dismissal, of: presenter) }
    dismissals.append(dismissal)
    letDismiss()
  }

  /// Calls off the dismissals of the child and of those that it is in.
  func callOffDismissals() {
    for dismissal in dismissals { dismissal.finish() }
    dismissals = []
    parent?.callOffDismissals()
  }

  /// Dismisses the child, or one that it is in, if that waits no longer.
  private func letDismiss() {
    if !dismissals.isEmpty, !holdsDismissals {
      for dismissal in dismissals {
        dismissal.yield()
        dismissal.finish()
      }
      dismissals = []
    }
    parent?.letDismiss()
  }

  // MARK: Throttled effects

  /// The window of a throttled effect, which is remembered while it is open.
  func throttleWindow(_ id: CancelID) -> AnyThrottleWindow? { throttles[id] }

  /// Forgets the window of a throttled effect if it is over.
  ///
  /// - Returns: Whether it is open.
  func keepsThrottleWindow(_ id: CancelID) -> Bool {
    if !isCancelled, throttles[id]?.isOpen == true { return true }
    throttles[id] = nil
    trim()
    return false
  }

  /// Notes the window of a throttled effect.
  func setThrottleWindow(_ id: CancelID, _ window: AnyThrottleWindow) { throttles[id] = window }

  // MARK: Actions that wait

  /// Notes that an action of this child waits to be reduced.
  func addPendingAction() { pendingActions += 1 }

  /// Forgets an action that waited.
  func removePendingAction() {
    pendingActions -= 1
    trim()
  }

  /// Leaves the table when nothing is left here.
  func trim() {
    guard isEmpty, let parent, let key else { return }
    // A scope that was cancelled may have a successor under its key.
    if parent.children[ObjectIdentifier(key.node)]?[key.child] === self {
      parent.children[ObjectIdentifier(key.node)]?[key.child] = nil
      if parent.children[ObjectIdentifier(key.node)]?.isEmpty == true {
        parent.children[ObjectIdentifier(key.node)] = nil
      }
    }
    parent.trim()
  }
}

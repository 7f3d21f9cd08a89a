/// The running effects of one child, and below it those of the child's children.
///
/// The root's scope is the store's table of effects. A child's scope exists only while something of
/// the child runs, so an idle store holds an empty table.
@MainActor
final class EffectScope {
  private weak var parent: EffectScope?
  private let key: ScopeKey?
  private var children: [ObjectIdentifier: [ChildIdentity: EffectScope]] = [:]
  private var effects: [ObjectIdentifier: RunningEffect] = [:]
  private var cancellable: [CancelID: [ObjectIdentifier: RunningEffect]] = [:]
  private var pendingActions = 0

  /// Whether the child is gone: its effects are cancelled and what they send is dropped.
  private(set) var isCancelled = false

  init(parent: EffectScope? = nil, key: ScopeKey? = nil) {
    self.parent = parent
    self.key = key
  }

  // MARK: Children

  /// Whether anything of any child runs.
  var hasChildren: Bool { !children.isEmpty }

  /// Whether anything runs in a child of an operator.
  func hasChildren(of node: ObjectIdentifier) -> Bool { children[node] != nil }

  /// The scope of a child in which something runs.
  func child(_ child: ChildIdentity, of node: ObjectIdentifier) -> EffectScope? {
    children[node]?[child]
  }

  /// The scopes of an operator's children in which something runs.
  func children(of node: ObjectIdentifier) -> [ChildIdentity: EffectScope] { children[node] ?? [:] }

  /// The scope of a child, made if nothing of it runs yet.
  func makeChild(_ key: ScopeKey) -> EffectScope {
    if let child = children[key.node]?[key.child] { return child }
    let child = EffectScope(parent: self, key: key)
    children[key.node, default: [:]][key.child] = child
    return child
  }

  /// Cancels all that runs in those children of an operator that are gone.
  func cancelChildren(
    of node: ObjectIdentifier, where isGone: (ChildIdentity) -> Bool = { _ in true }
  ) {
    guard let scopes = children[node] else { return }
    for (child, scope) in scopes where isGone(child) {
      scope.cancelAll()
      children[node]?[child] = nil
    }
    if children[node]?.isEmpty == true { children[node] = nil }
    trim()
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

  /// Whether nothing runs here and below.
  var isEmpty: Bool {
    effects.isEmpty && cancellable.isEmpty && children.isEmpty && pendingActions == 0
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
    if let effects = cancellable.removeValue(forKey: id) {
      for effect in effects.values { effect.cancel() }
    }
    for scopes in children.values {
      for scope in scopes.values { scope.cancel(id) }
    }
  }

  // MARK: Actions that wait

  /// Notes that an action of this child waits to be reduced.
  func addPendingAction() { pendingActions += 1 }

  /// Forgets an action that waited.
  func removePendingAction() {
    pendingActions -= 1
    trim()
  }

  /// Leaves the table when nothing is left here.
  private func trim() {
    guard isEmpty, let parent, let key else { return }
    // A scope that was cancelled may have a successor under its key.
    if parent.children[key.node]?[key.child] === self {
      parent.children[key.node]?[key.child] = nil
      if parent.children[key.node]?.isEmpty == true { parent.children[key.node] = nil }
    }
    parent.trim()
  }
}

/// Holds a feature's state, reduces the actions sent to it and runs their effects.
///
/// ```swift
/// let store = Store(initialState: CheckInFeature.State()) { CheckInFeature() }
/// store.send(.checkInButtonTapped)
/// store.deadline   // reads through to the state
/// ```
///
/// A store made by `scope` is a view of a part of its parent. It has no state of its own, costs
/// nothing until it is read, and keeps its root alive.
@MainActor
@dynamicMemberLookup
public final class Store<State, Action: Sendable> {
  let core: StoreCore<State, Action>
  private var children: [ScopeCacheKey: WeakReference] = [:]
  /// The number of cached children at which deallocated ones are purged.
  private var childrenLimit = 64
  private var lists: [AnyKeyPath: WeakReference] = [:]

  /// Creates the store of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the store's dependencies.
  ///   - reducer: The feature's reducer. Called once.
  ///   - prepareDependencies: Overrides the dependencies that the feature and its effects read with
  ///     `@Dependency`.
  public convenience init<R: Reducer>(
    initialState: @autoclosure () -> State, reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) where R.State == State, R.Action == Action {
    self.init(initialState, reducer, prepareDependencies)
  }

  /// Creates the store of several reducers, which run in the order written, as in a `body`.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the store's dependencies.
  ///   - reducer: The reducers. Called once.
  ///   - prepareDependencies: Overrides the dependencies that they and their effects read with
  ///     `@Dependency`.
  @_disfavoredOverload
  public convenience init(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> Reduce<State, Action>,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    self.init(initialState, reducer, prepareDependencies)
  }

  private convenience init<R: Reducer>(
    _ initialState: () -> State, _ reducer: () -> R,
    _ prepareDependencies: ((inout DependencyValues) -> Void)?
  ) where R.State == State, R.Action == Action {
    var dependencies = DependencyValues.current
    prepareDependencies?(&dependencies)
    let core = DependencyValues.with(dependencies) {
      RootCore(
        initialState: initialState(), reducer: reducer().erased(), dependencies: dependencies)
    }
    core.followSharedValues()
    self.init(core: core)
  }

  init(core: StoreCore<State, Action>) { self.core = core }

  /// The current state, or the last one seen if this is a scoped store whose state is gone.
  ///
  /// Reading it while a reducer runs is a programming error and traps.
  public var state: State { withState { copy $0 } }

  /// Reads a member of the state.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    withState { $0[keyPath: keyPath] }
  }

  /// Reads the state without copying it.
  public func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    core.readLast(body)
  }

  /// Reduces an action, and every action that follows from it synchronously, before returning.
  ///
  /// An action sent while a reducer or an observer runs is reduced after the current one.
  ///
  /// - Returns: A handle to the effects that the action started.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { core.send(action) }

  /// Returns the cached store of a child, creating it if needed.
  func cached<ChildState, ChildAction>(
    _ key: ScopeCacheKey, make: () -> StoreCore<ChildState, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    if let store = children[key]?.object as? Store<ChildState, ChildAction> { return store }
    let store = Store<ChildState, ChildAction>(core: make())
    if children.count >= childrenLimit {
      children = children.filter { $0.value.object != nil }
      childrenLimit = max(64, 2 * children.count)
    }
    children[key] = WeakReference(object: store)
    return store
  }
}

extension Store {
  /// Returns the turns that change a row of a list.
  func turns<ID: Hashable & Sendable, Row: Identifiable>(
    of id: ID, in list: KeyPath<State, IdentifiedArray<ID, Row>>
  ) -> TurnNotifier where Row.ID == ID {
    if let turns = lists[list]?.object as? ListTurnNotifier<State, Action, ID, Row> {
      return turns.turns(of: id)
    }
    let turns = ListTurnNotifier(parent: core, list: list)
    lists[list] = WeakReference(object: turns)
    return turns.turns(of: id)
  }
}

/// The store for a reducer's state and actions.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

/// Identifies a scope: equal keys share one store.
struct ScopeCacheKey: Hashable {
  /// The part of the state. Not an `AnyHashable`, which would make the runtime look up the
  /// conformance of every type of key path in the first frame that uses it.
  private enum Part: Hashable {
    case path(AnyKeyPath)
    case enumCase(ObjectIdentifier)
  }

  private let part: Part
  private let action: ObjectIdentifier
  private let element: AnyHashable?

  init(state: AnyKeyPath, action: ObjectIdentifier, element: AnyHashable? = nil) {
    part = .path(state)
    self.action = action
    self.element = element
  }

  /// - Parameter state: The identity of an enum's case path.
  init(state: ObjectIdentifier, action: ObjectIdentifier) {
    part = .enumCase(state)
    self.action = action
    element = nil
  }
}

struct WeakReference {
  weak var object: AnyObject?
}

/// A handle to everything that a send started: its effects, the actions that they send, and so on.
public struct StoreTask: Sendable {
  let group: EffectGroup?

  init(group: EffectGroup?) { self.group = group }

  /// The handle of a send that was ignored. It is already finished.
  package static let nothing = Self(group: nil)

  /// Waits until everything has ended. Cancelling the waiting task cancels all of it.
  public nonisolated(nonsending) func finish() async {
    await group?.finish()
  }

  /// Cancels everything that was started, and prevents anything that would follow from it.
  @MainActor public func cancel() { group?.cancel() }

  /// Whether it was cancelled.
  @MainActor public var isCancelled: Bool { group?.isCancelled ?? false }

  /// Whether everything has ended.
  @MainActor public var isFinished: Bool { group?.isFinished ?? true }
}

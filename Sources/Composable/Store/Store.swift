/// Holds a feature's state, reduces the actions sent to it and runs their effects.
///
/// ```swift
/// let store = Store(initialState: CheckInFeature.State()) { CheckInFeature() }
/// store.send(.checkInButtonTapped)
/// store.deadline   // reads through to the state
/// ```
///
/// A store made by `scope` is a view of a part: it holds no state of its own, costs nothing until
/// it is read, and keeps its root usable.
@MainActor
@dynamicMemberLookup
public final class Store<State, Action: Sendable> {
  let core: StoreCore<State, Action>
  private var children: [ScopeCacheKey: WeakReference] = [:]
  /// How many children there may be before those that are gone are forgotten.
  private var childrenLimit = 64
  private var lists: [AnyKeyPath: WeakReference] = [:]

  /// Makes the store of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The state at the start; made with the store's dependencies.
  ///   - reducer: The feature's reducer. It is asked once.
  ///   - prepareDependencies: Overrides of what the feature and its effects read by `@Dependency`.
  public convenience init<R: Reducer>(
    initialState: @autoclosure () -> State, reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) where R.State == State, R.Action == Action {
    self.init(initialState, reducer, prepareDependencies)
  }

  /// Makes the store of several reducers, which run in the order written, as in a `body`.
  ///
  /// - Parameters:
  ///   - initialState: The state at the start; made with the store's dependencies.
  ///   - reducer: The reducers. They are asked once.
  ///   - prepareDependencies: Overrides of what they and their effects read by `@Dependency`.
  @_disfavoredOverload
  public convenience init(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> ComposedReducer<State, Action>,
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
        initialState: initialState(), node: reducer().makeNode(), dependencies: dependencies)
    }
    core.followSharedValues()
    self.init(core: core)
  }

  init(core: StoreCore<State, Action>) { self.core = core }

  /// The state. A scoped store whose state is gone gives the last that was seen of it.
  ///
  /// Reading it while a reducer runs is a mistake and traps.
  public var state: State { withState { copy $0 } }

  /// Reads a member of the state.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    withState { $0[keyPath: keyPath] }
  }

  /// Reads the state without copying it.
  public func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    core.readLast(body)
  }

  /// Reduces an action, and all that follows from it at once, before it returns.
  ///
  /// Called while a reducer or an observer runs, the action is reduced after the current one.
  ///
  /// - Returns: The effects that the action has started.
  @discardableResult
  public func send(_ action: Action) -> StoreTask { core.send(action) }

  /// The store of a cached child, made if there is none.
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
  /// The turns that change a row of a list.
  func turns<ID: Hashable & Sendable, Row: Identifiable>(
    of id: ID, in list: KeyPath<State, IdentifiedArray<ID, Row>>
  ) -> Turns where Row.ID == ID {
    if let turns = lists[list]?.object as? ListTurns<State, Action, ID, Row> {
      return turns.turns(of: id)
    }
    let turns = ListTurns(parent: core, list: list)
    lists[list] = WeakReference(object: turns)
    return turns.turns(of: id)
  }
}

/// The store of a reducer's state and actions.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

/// What makes two scopes the same one.
struct ScopeCacheKey: Hashable {
  /// The part of the state. An `AnyHashable` would ask the runtime about every type of key path, at the
  /// first frame that meets it.
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

  /// - Parameter state: The case path of an enum's case.
  init(state: ObjectIdentifier, action: ObjectIdentifier) {
    part = .enumCase(state)
    self.action = action
    element = nil
  }
}

struct WeakReference {
  weak var object: AnyObject?
}

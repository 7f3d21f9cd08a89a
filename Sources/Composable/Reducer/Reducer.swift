/// The logic of a feature: how an action changes the state, and which effects follow.
///
/// Implement either `body`, to compose other reducers,
///
/// ```swift
/// struct CheckInFeature: Reducer {
///   struct State: Equatable, Sendable { var count = 0 }
///   enum Action: Equatable, Sendable { case buttonTapped }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
///
/// or `reduce(into:action:)`. If a type implements both, its `body` is used. The body is evaluated
/// once, when a store is created, and never per action.
public protocol Reducer<State, Action> {
  /// The feature's state.
  associatedtype State
  /// The feature's actions: everything that can happen in it.
  associatedtype Action: Sendable
  /// The type of `body`; `Never` for a reducer without one.
  associatedtype Body

  /// The reducers that this one is composed of.
  @ReducerBuilder<State, Action> var body: Body { get }

  /// Changes the state for an action and returns the effects that follow.
  ///
  /// Implement this function, but don't call it. To run another reducer, list it in a `body`, or
  /// pass it to `Scope`, `ifLet` or `forEach`. The store then knows the reducer's children and
  /// cancels their effects when they are gone.
  @available(
    *, deprecated,
    message:
      "If you call a reducer directly, the effects of its children aren't cancelled: list it in a `body`, or run it with `Scope`, `ifLet` or `forEach`."
  )
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// Returns the form in which a store runs this reducer. Called once per store.
  func makeNode() -> ReducerNode<State, Action>
}

/// A reducer of the state and action of another: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// Not available, because the reducer implements `reduce(into:action:)`.
  public var body: Body { fatalError("\(Self.self) has no body.") }

  /// Returns a node that calls `reduce(into:action:)`.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> {
    ReducerNode { state, action in Leaf<Self>.run(self, &state, action) }
  }

  /// Gives the compiler something to report for a reducer that implements neither.
  @available(
    *, unavailable, message: "A reducer needs a `body`, or a function `reduce(into:action:)`."
  )
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { fatalError() }
}

/// Calls `reduce(into:action:)` for a store, without a warning. Only a deprecated function can call
/// another one silently, and only through a protocol requirement can it be called silently itself.
@usableFromInline
protocol LeafCaller {
  associatedtype R: Reducer
  static func reduce(_ reducer: R, _ state: inout R.State, _ action: R.Action) -> Effect<R.Action>
}

extension LeafCaller {
  @inlinable
  static func run(_ reducer: R, _ state: inout R.State, _ action: R.Action) -> Effect<R.Action> {
    reduce(reducer, &state, action)
  }
}

@usableFromInline
enum Leaf<R: Reducer>: LeafCaller {
  @available(*, deprecated)
  @inlinable
  static func reduce(
    _ reducer: R, _ state: inout R.State, _ action: R.Action
  ) -> Effect<R.Action> {
    reducer.reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body without tracking its children; see `Reducer.reduce(into:action:)`.
  @available(
    *, deprecated,
    message:
      "If you call a reducer directly, the effects of its children aren't cancelled: list it in a `body`, or run it with `Scope`, `ifLet` or `forEach`."
  )
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.makeNode().reduceDirectly(&state, action)
  }

  /// Returns the node of the body.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { body.makeNode() }
}

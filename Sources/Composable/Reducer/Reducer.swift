/// A feature's logic: how an action changes the state, and which effects follow.
///
/// Implement either `body`, composing other reducers,
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
/// or `reduce(into:action:)`. A type that implements both is run by its `body`.
/// The body is evaluated once, when a store is made, and never per action.
public protocol Reducer<State, Action> {
  /// What the feature holds.
  associatedtype State
  /// What can happen in the feature.
  associatedtype Action: Sendable
  /// The type of `body`; `Never` for a reducer without one.
  associatedtype Body

  /// The reducers that this one is composed of.
  @ReducerBuilder<State, Action> var body: Body { get }

  /// Changes the state for an action and returns the effects that follow.
  ///
  /// It is written and not called: to run another reducer, list it in a `body`, or gives it to
  /// `Scope`, `ifLet` or `forEach`. Then the store knows its children, and ends their effects with
  /// them.
  @available(
    *, deprecated,
    message:
      "Called by hand, a reducer loses the lifetimes of its children: list it in a `body`, or run it by `Scope`, `ifLet` or `forEach`."
  )
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The form in which a store runs this reducer; made once per store.
  func makeNode() -> ReducerNode<State, Action>
}

/// A reducer of the state and action of another: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// Has no body: the reducer implements `reduce(into:action:)`.
  public var body: Body { fatalError("\(Self.self) has no body.") }

  /// A node that calls `reduce(into:action:)`.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> {
    ReducerNode { state, action in Leaf<Self>.run(self, &state, action) }
  }

  /// Missing: this is what the compiler finds for a reducer that has neither.
  @available(
    *, unavailable, message: "A reducer needs a `body`, or a function `reduce(into:action:)`."
  )
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { fatalError() }
}

/// Calls `reduce(into:action:)` for a store, which may. Only a function that is deprecated itself can do
/// so without a warning, and only a protocol's own function can be called although it is.
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
  /// Runs the body, without its children's lifetimes: see `Reducer.reduce(into:action:)`.
  @available(
    *, deprecated,
    message:
      "Called by hand, a reducer loses the lifetimes of its children: list it in a `body`, or run it by `Scope`, `ifLet` or `forEach`."
  )
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.makeNode().reduceByHand(&state, action)
  }

  /// The node of the body.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { body.makeNode() }
}

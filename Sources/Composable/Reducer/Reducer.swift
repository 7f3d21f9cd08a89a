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
    ReducerNode { state, action in reduce(into: &state, action: action) }
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body.
  ///
  /// The body is evaluated anew for each call; a store does that only once.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.makeNode().reduce(&state, action)
  }

  /// The node of the body.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { body.makeNode() }
}

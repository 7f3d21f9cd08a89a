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
///
/// To run another reducer, list it in a `body`, or pass it to `Scope`, `ifLet` or `forEach`. A
/// reducer with a `body` can't be called: the store has to know its children, so that it can cancel
/// their effects when they are gone.
public protocol Reducer<State, Action> {
  /// The feature's state.
  associatedtype State
  /// The feature's actions: everything that can happen in it.
  associatedtype Action: Sendable
  /// The type of `body`; `Never` for a reducer without one.
  associatedtype Body
  /// The actions with which other code can call `reduce(into:action:)`: `Action` if the reducer
  /// implements that function, and `Never` if it has a `body`.
  associatedtype DirectAction

  /// The reducers that this one is composed of.
  @ReducerBuilder<State, Action> var body: Body { get }

  /// Changes the state for an action and returns the effects that follow.
  func reduce(into state: inout State, action: DirectAction) -> Effect<Action>

  /// Returns this reducer without its type: the form in which a store runs it. There is nothing to
  /// implement; it follows from `body` or `reduce(into:action:)`.
  func erased() -> Reduce<State, Action>
}

/// A reducer of the state and action of another: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// Not available, because the reducer implements `reduce(into:action:)`.
  public var body: Body { fatalError("\(Self.self) has no body.") }

  /// Gives the compiler something to report for a reducer that implements neither, or the function
  /// with other types.
  @available(
    *, unavailable, message: "A reducer needs a `body`, or a function `reduce(into:action:)`."
  )
  public func erased() -> Reduce<State, Action> { fatalError() }
}

extension Reducer where Body == Never, DirectAction == Action {
  /// Returns a reducer that calls `reduce(into:action:)`.
  @inlinable
  public func erased() -> Reduce<State, Action> {
    Reduce { state, action in self.reduce(into: &state, action: action) }
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Can't be called, because the reducer has a `body`.
  public func reduce(into state: inout State, action: Never) -> Effect<Action> {}

  /// Returns the body without its type.
  @inlinable
  public func erased() -> Reduce<State, Action> { body.erased() }
}

extension Reducer {
  /// Gives the compiler something to report for a call of a reducer with a `body`.
  @available(
    *, unavailable,
    message:
      "A reducer with a `body` can't be called: list it in a `body`, or run it with `Scope`, `ifLet` or `forEach`."
  )
  public func reduce(
    into state: inout State, action: Action, _: Void = ()
  ) -> Effect<Action> { fatalError() }
}

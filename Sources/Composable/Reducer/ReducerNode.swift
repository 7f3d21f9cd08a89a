/// The form in which a store runs a reducer: closures that are built once.
///
/// Each operator (`Scope`, `ifLet`, `forEach` …) makes a node. Besides reducing, a node finds the
/// effects below it whose child is gone.
///
/// The reducing closures are made in inlinable functions, so that the compiler specialises them for
/// a feature's types. That keeps an action cheap.
public struct ReducerNode<State, Action: Sendable> {
  /// Cancels the effects of all children that are gone from the state. Runs on the main actor, as
  /// reducers do.
  @usableFromInline typealias Prune =
    (_ state: State, _ scope: EffectScope) -> Void

  /// Changes the state for an action and returns the effects that follow.
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>

  /// Cancels the effects of children that are gone; `nil` if there are no children.
  @usableFromInline let prune: Prune?

  @inlinable
  init(
    prune: Prune? = nil,
    reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.reduce = reduce
    self.prune = prune
  }

  /// Reduces for a caller that isn't a store. Nothing would cancel the effects of children that go
  /// away, so such an effect is reported as an issue.
  @usableFromInline
  func reduceDirectly(_ state: inout State, _ action: Action) -> Effect<Action> {
    let effect = reduce(&state, action)
    if let location = effect.locationOfFirstChildRun() {
      reportIssue(
        """
        "reduce(into:action:)" of a reducer was called, and one of its children started an effect.

          Action: \(describe(action))

        The store does not know that child, so the effect would outlive it. List the reducer in a \
        `body`, or run it with `Scope`, `ifLet` or `forEach`.
        """,
        at: location)
    }
    return effect
  }

  /// Returns a node that runs this node and then another on the same state.
  @inlinable
  func then(_ next: Self) -> Self {
    let first = reduce
    let second = next.reduce
    return Self(prune: pruneBoth(prune, next.prune)) { state, action in
      let firstEffect = first(&state, action)
      let secondEffect = second(&state, action)
      if firstEffect.isNone { return secondEffect }
      if secondEffect.isNone { return firstEffect }
      return firstEffect.merge(with: secondEffect)
    }
  }
}

@usableFromInline
func pruneBoth<State>(
  _ first: ((State, EffectScope) -> Void)?,
  _ second: ((State, EffectScope) -> Void)?
) -> ((State, EffectScope) -> Void)? {
  guard let first else { return second }
  guard let second else { return first }
  return { state, scope in
    first(state, scope)
    second(state, scope)
  }
}

/// The identity of an operator.
@usableFromInline
final class NodeIdentity: Sendable {
  @usableFromInline init() {}
}

/// The node of a child, built at the child's first action, so that a feature can contain itself.
@usableFromInline
final class ChildNode<State, Action: Sendable> {
  // Every action passes through here, so the exclusivity check is off. It isn't needed: the
  // property is set once and used only on the main actor.
  @exclusivity(unchecked) @usableFromInline
  var reduceMade: ((inout State, Action) -> Effect<Action>)?
  /// Cancels the effects of grandchildren that are gone; `nil` if the child has no children, and
  /// until it first acts.
  private(set) var prune: ReducerNode<State, Action>.Prune?
  private var make: (() -> ReducerNode<State, Action>)?
  /// The store's dependencies, which would be current if the node were built at once.
  private let dependencies = DependencyValues.current

  @usableFromInline
  init<R: Reducer>(_ child: @escaping () -> R) where R.State == State, R.Action == Action {
    make = { child().makeNode() }
  }

  /// Changes the child's state for an action and returns the effects that follow.
  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    if let reduceMade { return reduceMade(&state, action) }
    return reduceFirst(&state, action)
  }

  @usableFromInline
  func reduceFirst(_ state: inout State, _ action: Action) -> Effect<Action> {
    let node = DependencyValues.with(dependencies) { make!() }
    make = nil
    reduceMade = node.reduce
    prune = node.prune
    return node.reduce(&state, action)
  }
}

/// Decides whether an optional child is still the same one: by its `id`, if it is `Identifiable`.
///
/// The conformance is looked up when the first child exists. The runtime searches every conformance
/// in the process, which would delay the start of a program if it happened at launch.
@usableFromInline
struct ChildIdentification<Child> {
  private let lookup = Lookup()

  @usableFromInline
  init() {}

  /// Returns the identity of a child; the same for all children without an `id`.
  @usableFromInline
  func callAsFunction(_ child: Child) -> ChildIdentity { lookup.identify?(child) ?? .single }

  private final class Lookup {
    lazy var identify: ((Child) -> ChildIdentity)? = {
      guard let type = Child.self as? any Identifiable.Type else { return nil }
      return Self.byID(type)
    }()

    private static func byID<I: Identifiable>(_: I.Type) -> (Child) -> ChildIdentity {
      // `I` is the same type as `Child`, seen as `Identifiable`.
      { ChildIdentity(unsafeBitCast($0, to: I.self).id) }
    }
  }
}

/// The result of operators and builders: a reducer already in the form that a store runs.
public struct ComposedReducer<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let node: ReducerNode<State, Action>

  @inlinable
  init(_ node: ReducerNode<State, Action>) { self.node = node }

  /// Runs the reducers that it is composed of.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceDirectly(&state, action)
  }

  /// Returns the node, which exists already.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { node }
}

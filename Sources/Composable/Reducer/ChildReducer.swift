/// The identity of an operator.
@usableFromInline
final class OperatorID: Sendable {
  @usableFromInline init() {}
}

/// The reducer of a child, made at the child's first action, so that a feature can contain itself.
@usableFromInline
final class ChildReducer<State, Action: Sendable> {
  // Every action passes through here, so the exclusivity check is off. It isn't needed: the
  // property is set once and used only on the main actor.
  @exclusivity(unchecked) @usableFromInline
  var runMade: ((inout State, Action) -> Effect<Action>)?
  /// Cancels the effects of grandchildren that are gone; `nil` if the child has no children, and
  /// until it first acts.
  private(set) var prune: Reduce<State, Action>.Prune?
  private var make: (() -> Reduce<State, Action>)?
  /// The store's dependencies, which would be current if the child were made at once.
  private let dependencies = DependencyValues.current

  @usableFromInline
  init<R: Reducer>(_ child: @escaping () -> R) where R.State == State, R.Action == Action {
    make = { child().erased() }
  }

  /// Changes the child's state for an action and returns the effects that follow.
  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    if let runMade { return runMade(&state, action) }
    return reduceFirst(&state, action)
  }

  @usableFromInline
  func reduceFirst(_ state: inout State, _ action: Action) -> Effect<Action> {
    let child = DependencyValues.with(dependencies) { make!() }
    make = nil
    runMade = child.run
    prune = child.prune
    return child.run(&state, action)
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

  /// Whether children have an `id`.
  var hasIDs: Bool { lookup.identify != nil }

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

/// Observes a running store: which actions it reduces, which effects are running, and which
/// dependencies are overridden. Made for a debug overlay. A store without an inspector pays for one
/// `nil` test per action.
///
/// ```swift
/// StoreInspector(store)?.observe { action, state in history.append(action, state) }
/// ```
@MainActor
public struct StoreInspector<State, Action: Sendable> {
  /// Weak, because the store retains its observers, which can hold this inspector.
  private weak var core: RootCore<State, Action>?

  /// Creates an inspector of a root store; `nil` for a store made by `scope`, which is a view of
  /// its root.
  public init?(_ store: Store<State, Action>) {
    guard let core = store.core as? RootCore<State, Action> else { return nil }
    self.core = core
  }

  /// Observes the store from now on, replacing any earlier observer.
  ///
  /// - Parameters:
  ///   - onReduced: Called after each action is reduced, with the state that resulted, and before
  ///     the effects that it returned start. Don't read the store's state in it.
  ///   - onSettled: Called after each turn and whenever an effect ends, when the set of running
  ///     effects can have changed.
  public func observe(
    onReduced: @escaping (_ action: Action, _ state: State) -> Void,
    onSettled: @escaping () -> Void = {}
  ) {
    core?.onReduced = { action, _, state in onReduced(action, state) }
    core?.onSettled = onSettled
  }

  /// The running effects, in the order of their places in the source.
  public var effectsInFlight: [EffectInFlight] { core?.effectsInFlight ?? [] }

  /// The dependencies that the store's reducers and effects read with `@Dependency`.
  public var dependencies: DependencyValues { core?.dependencies ?? DependencyValues() }
}

/// A description of a running effect.
public struct EffectInFlight: Hashable, Sendable {
  /// Where the effect was made.
  public var location: IssueLocation
  /// The names of the ids that can cancel the effect, outermost first.
  public var ids: [String]

  /// Creates the description of an effect.
  public init(location: IssueLocation, ids: [String] = []) {
    self.location = location
    self.ids = ids
  }
}

extension EffectInFlight: Comparable {
  /// Orders effects by their place in the source, then by ids.
  public static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.location, right.location)
    return (a.fileID, a.line, a.column, left.ids.joined(separator: " "))
      < (b.fileID, b.line, b.column, right.ids.joined(separator: " "))
  }
}

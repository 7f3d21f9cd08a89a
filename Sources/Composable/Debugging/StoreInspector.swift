/// Looks into a running store: which actions it reduces, which effects run, which dependencies were
/// set. For a debug overlay; a store that nobody looks into pays one test for `nil` per action.
///
/// ```swift
/// StoreInspector(store)?.observe { action, state in history.append(action, state) }
/// ```
@MainActor
public struct StoreInspector<State, Action: Sendable> {
  /// Weak, since an observer that looks into the store is kept by it.
  private weak var core: RootCore<State, Action>?

  /// Looks into a store; `nil` for one that was made by `scope`, which only shows a part of its
  /// root.
  public init?(_ store: Store<State, Action>) {
    guard let core = store.core as? RootCore<State, Action> else { return nil }
    self.core = core
  }

  /// Tells what happens from now on, instead of notifying those it notified before.
  ///
  /// - Parameters:
  ///   - onReduced: Sees each action after it was reduced, and the state that it left, before the
  ///     effects that it returned start. The state of the store may not be read in the meantime.
  ///   - onSettled: Called when a turn is over and when an effect has ended, which is when other
  ///     effects may run than before.
  public func observe(
    onReduced: @escaping (_ action: Action, _ state: State) -> Void,
    onSettled: @escaping () -> Void = {}
  ) {
    core?.onReduced = { action, _, state in onReduced(action, state) }
    core?.onSettled = onSettled
  }

  /// The effects that run now, in the order of their places in the source.
  public var effectsInFlight: [EffectInFlight] { core?.effectsInFlight ?? [] }

  /// What the store's reducers and effects read by `@Dependency`.
  public var dependencies: DependencyValues { core?.dependencies ?? DependencyValues() }
}

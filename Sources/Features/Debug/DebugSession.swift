import Clients
import Composable

/// The app's store and the overlay's store. Once the overlay has been opened, it receives every
/// action of the app.
@MainActor
final class DebugSession {
  let app: StoreOf<AppFeature>
  let overlay: StoreOf<DebugFeature>
  private var observation: ObservationToken?

  /// - Parameter app: The app's root store, not one made by `scope`.
  init(app: StoreOf<AppFeature>) {
    self.app = app
    guard let inspector = StoreInspector(app) else {
      preconditionFailure("Only a root store can be looked into.")
    }
    overlay = Store(initialState: DebugFeature.State()) {
      DebugFeature()
    } withDependencies: {
      $0 = inspector.dependencies
    }
    observation = overlay.observe({ $0.form != .hidden }) { [weak self] _ in
      // Start observing only once. It continues while the overlay is hidden, so those actions can
      // be seen later.
      self?.observation = nil
      self?.observe(inspector)
    }
  }

  /// The name of a dependency, such as `ContinuousClock` for the key
  /// `DependencyValues.ContinuousClockKey`.
  private static func name(of key: String) -> String {
    let name = key.split(separator: ".").last ?? ""
    return String(name.hasSuffix("Key") ? name.dropLast(3) : name)
  }

  private func observe(_ inspector: StoreInspector<AppFeature.State, AppFeature.Action>) {
    let dependencies = inspector.dependencies.overriddenKeys.map(Self.name(of:)).sorted()
    overlay.send(.observationBegan(app.state, dependencies: dependencies))
    overlay.send(.effectsChanged(inspector.effectsInFlight))
    inspector.observe { [weak overlay] action, state in
      overlay?.send(.reduced(action, state))
    } onSettled: { [weak overlay] in
      guard let overlay else { return }
      let effects = inspector.effectsInFlight
      if effects != overlay.effects { overlay.send(.effectsChanged(effects)) }
      let calls = inspector.dependencies.recentCalls
      if calls != overlay.calls { overlay.send(.callsChanged(calls)) }
    }
  }
}

import Composable
import Domain
import Features

/// A screen that `demo --frame` makes a picture of.
enum DemoScreen: String, NamedValue {
  case checkIn = "check-in"
  case responders, dependents, alerts, profile, onboarding, emergency

  /// Brings the app to the screen by the actions that a person would cause.
  @MainActor func open(in store: StoreOf<AppFeature>) {
    switch self {
    case .checkIn, .onboarding: break
    case .responders: store.send(.main(.tabSelected(.responders)))
    case .dependents: store.send(.main(.tabSelected(.dependents)))
    case .alerts: store.send(.main(.tabSelected(.alerts)))
    case .profile: store.send(.main(.tabSelected(.profile)))
    case .emergency:
      for _ in 0..<AlertTrigger.pressesNeeded {
        store.send(.main(.emergency(.emergencyKeyPressed)))
      }
    }
  }
}

import Composable
import Domain

/// A screen that `demo --frame` can show.
public enum DemoScreen: String, CaseIterable, Sendable {
  case checkIn = "check-in"
  case responders, dependents, alerts, profile, onboarding, emergency
}

extension AppSession {
  /// Opens a screen by sending the actions that a person would.
  public func open(_ screen: DemoScreen) {
    switch screen {
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

import Composable
import Domain

/// What a feature has done that concerns more than itself. The feature that presents it passes it on, and the root
/// acts on it.
enum DelegateAction: Equatable, Sendable {
  /// Something is to be said in passing.
  case told(AppFeature.Toast)
  /// Somebody has to carry it to others.
  case queued
  /// A passphrase was given, which may have raised a silent alert (CHK-3).
  case gatePassed
  /// - Parameter text: What comes before the next deadline.
  case checkedIn(User, text: String)
  /// A pause began or ended.
  case paused(User)
  case saved(User, text: String)
  /// The person's own session is over.
  case signedOut

  static func told(_ text: String, _ tone: AppFeature.Toast.Tone = .calm) -> Self {
    .told(AppFeature.Toast(text, tone))
  }
}

extension MainTabFeature.Action {
  var delegate: DelegateAction? {
    switch self {
    case .checkIn(.checkedIn(let user)): .checkedIn(user, text: "Checked in.")
    case .checkIn(.destination(.presented(let action))): action.delegate
    case .responders(.destination(.presented(let action))),
      .dependents(.destination(.presented(let action))):
      action.delegate
    case .dependents(.orderFailed(let error)):
      .told("The order was not kept: \(error.errorDescription)", .warning)
    case .emergency(.disarmed): .told(ArmedAlert.stoppedText)
    case .pings(.answered(let user)): .checkedIn(user, text: "Answered and checked in.")
    case .profile(.destination(.presented(let action))): action.delegate
    case .prompt(.sendButtonTapped): .gatePassed
    case .watchButtonTapped: .queued
    default: nil
    }
  }
}

import Composable
import Domain

/// A result that concerns more than the feature that produced it. ``AppFeature`` acts on it.
enum DelegateAction: Equatable, Sendable {
  /// Show a toast.
  case told(AppFeature.Toast)
  /// Messages were queued, so a monitor must be running to send them.
  case queued
  /// The person checked in.
  /// - Parameter text: The first sentence of the toast, before the next deadline.
  case checkedIn(User, text: String)
  /// A pause began or ended.
  case paused(User)
  case saved(User, text: String)
  case contactSaved(Contact)
  /// A code of a responder was entered; those who know of the alert are notified.
  case replied(Response)
  /// The person's session has ended.
  case signedOut

  static func told(_ text: String, _ tone: AppFeature.Toast.Tone = .calm) -> Self {
    .told(AppFeature.Toast(text, tone))
  }
}

extension MainTabFeature.Action {
  var delegate: DelegateAction? {
    switch self {
    case .checkIn(.checkedIn(let user)): .checkedIn(user, text: "Checked in.")
    case .path(.element(_, let action)): action.delegate
    case .emergency(.disarmed): .told(ArmedAlert.stoppedText)
    case .pings(.answered(let user)): .checkedIn(user, text: "Answered and checked in.")
    case .watchButtonTapped: .queued
    default: nil
    }
  }
}

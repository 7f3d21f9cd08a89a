import Composable
import Domain

/// A result that concerns more than the feature that produced it. ``AppFeature`` acts on it.
enum DelegateAction: Equatable, Sendable {
  /// Show a toast.
  case toast(ToastMessage)
  /// Messages were queued, so a monitor must be running to send them.
  case queued
  /// The person checked in.
  /// - Parameter text: The first sentence of the toast, before the next deadline.
  case checkedIn(User, text: String)
  /// An outing began, or ends later.
  case out(User)
  /// A pause began or ended.
  case paused(User)
  case saved(User, text: String)
  case contactSaved(Contact)
  /// A code of a responder was entered; those who know of the alert are notified.
  case replied(Response)
  /// The person's session has ended.
  case signedOut

  static func toast(_ text: String, _ tone: ToastMessage.Tone = .calm) -> Self {
    .toast(ToastMessage(text, tone))
  }
}

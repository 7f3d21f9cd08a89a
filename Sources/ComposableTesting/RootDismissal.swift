/// Tracks whether the feature of a test store has dismissed itself.
@MainActor
final class RootDismissal {
  private(set) var isDismissed = false
  /// Called when the feature dismisses itself.
  var onDismissal: (() -> Void)?

  nonisolated init() {}

  func dismiss() {
    isDismissed = true
    onDismissal?()
  }
}

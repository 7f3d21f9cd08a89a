/// Whether the feature of a test store has dismissed itself.
@MainActor
final class RootDismissal {
  private(set) var isDismissed = false
  /// Told when it does.
  var onDismissal: (() -> Void)?

  nonisolated init() {}

  func dismiss() {
    isDismissed = true
    onDismissal?()
  }
}

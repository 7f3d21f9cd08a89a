import CSodium

enum Sodium {
  /// Whether libsodium is initialized, which happens once and chooses its code for this processor.
  /// Every use checks this first.
  static let isReady = sodium_init() >= 0
}

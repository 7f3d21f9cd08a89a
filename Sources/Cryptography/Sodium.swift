import CSodium

enum Sodium {
  /// Whether libsodium is ready. It is set up once, and then chooses its code for this processor.
  /// Every use checks this first.
  static let isReady = sodium_init() >= 0
}

import CSodium

enum Sodium {
  /// libsodium chooses its code for this processor once; every use asks for it first.
  static let isReady = sodium_init() >= 0
}

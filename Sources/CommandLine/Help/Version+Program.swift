import Domain

extension Version {
  /// This program and its version.
  static let program = "lifesignal \(current)"
}

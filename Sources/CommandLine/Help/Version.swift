/// The version of the programs, after semantic versioning 2.0.
enum Version {
  static let current = "0.1.0"

  /// The program and its version.
  static let program = "lifesignal \(current)"
}

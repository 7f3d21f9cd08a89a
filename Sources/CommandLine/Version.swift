/// The program's version, after semver.org.
enum Version {
  static let text = "0.1.0"
}

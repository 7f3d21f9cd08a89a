/// The version of the programs, following Semantic Versioning 2.0.
public enum Version {
  public static let current = "0.2.0"

  /// Returns whether a version such as `0.9.2` is older than another one. A text without numbers is
  /// older than every version.
  package static func isOlder(_ version: String, than other: String) -> Bool {
    numbers(of: version).lexicographicallyPrecedes(numbers(of: other))
  }

  private static func numbers(of version: String) -> [Int] {
    version.split(separator: ".", omittingEmptySubsequences: false)
      .map { Int($0.prefix { $0.isASCII && $0.isNumber }) ?? -1 }
  }
}

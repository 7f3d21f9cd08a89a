/// The version of the programs, following Semantic Versioning 2.0.
public enum Version {
  public static let current = "0.1.0"
}

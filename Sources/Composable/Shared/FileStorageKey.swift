public import FoundationEssentials

/// A value that is shared and kept in a file, as JSON.
///
/// The file is written beside its place, synced and renamed, so that a crash leaves the old or the
/// new one and never a part. A file that cannot be read is kept aside, with `.unreadable` behind its
/// name, and reported.
public struct FileStorageKey<Value: Codable & Sendable>: SharedKey {
  private let path: String
  private let files: SharedFiles

  /// A key of a file.
  public init(_ url: URL) {
    path = url.path
    files = DependencyValues.current.sharedFiles
  }

  /// Whether both are of the same file.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The value in the file, or `nil` if there is no file.
  ///
  /// - Throws: The error of reading or decoding it; it is kept aside then.
  public func load() throws -> Value? {
    guard let bytes = try files.read(path) else { return nil }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch {
      try files.rename(path, path + ".unreadable")
      throw SharedFileError(path: path + ".unreadable", reason: "\(error)")
    }
  }

  /// Replaces the file.
  ///
  /// - Throws: `SharedFileError` if it cannot be written; the old file stays then.
  public func save(_ value: Value) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try files.replace(path, [UInt8](try encoder.encode(value)))
  }
}

extension SharedKey {
  /// A value that is shared and kept in a file, as JSON.
  public static func fileStorage<Value: Codable & Sendable>(_ url: URL) -> Self
  where Self == FileStorageKey<Value> { FileStorageKey(url) }
}

public import FoundationEssentials
import Synchronization

/// A value that is shared and kept in a file, as JSON.
///
/// The file is written beside its place, synced and renamed, so that a crash leaves the old or the
/// new one and never a part; programs that write it at the same time do so one after the other. When
/// another program has changed the file, the value follows. A file that cannot be read is kept aside,
/// with `.unreadable` behind its name, and reported.
public struct FileStorageKey<Value: Codable & Sendable>: SharedKey {
  private let path: String
  private let files: SharedFiles
  private let known = KnownBytes()

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
    known.bytes.withLock { $0 = bytes }
    return try decode(bytes)
  }

  /// The value in the file, if it is not what was read or written last.
  ///
  /// - Throws: The error of reading or decoding it; it is kept aside then.
  public func loadChange() throws -> Value? {
    guard let bytes = try files.read(path) else { return nil }
    let isKnown = known.bytes.withLock { known in
      defer { known = bytes }
      return known == bytes
    }
    return isKnown ? nil : try decode(bytes)
  }

  private func decode(_ bytes: [UInt8]) throws -> Value {
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
    let bytes = [UInt8](try encoder.encode(value))
    known.bytes.withLock { $0 = bytes }
    try files.replace(path, bytes)
  }

  /// Tells when the file may have been changed.
  public func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)? {
    files.watch(path, onChange)
  }
}

/// What a file held when it was last read or written: only something else is a change by others.
private final class KnownBytes: Sendable {
  let bytes = Mutex<[UInt8]?>(nil)
}

extension SharedKey {
  /// A value that is shared and kept in a file, as JSON.
  public static func fileStorage<Value: Codable & Sendable>(_ url: URL) -> Self
  where Self == FileStorageKey<Value> { FileStorageKey(url) }
}

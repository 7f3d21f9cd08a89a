public import Composable
public import FoundationEssentials
import Synchronization

/// The key of a shared value that is stored in a file, as JSON.
///
/// Saving writes a temporary file, syncs it and renames it into place, so a crash leaves either the
/// old or the new file, never a part of one. Programs that save the same file at once take turns.
/// When another program changes the file, the value follows. A file that can't be decoded is
/// reported and renamed, with `.unreadable` added to its name.
public struct FileStorageKey<Value: Codable & Sendable>: SharedKey {
  private let path: String
  private let files: SharedFiles
  private let known = KnownBytes()

  /// Creates the key of a file.
  public init(_ url: URL) {
    path = url.path
    files = DependencyValues.current.sharedFiles
  }

  /// Returns whether both keys are for the same file.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// Returns the value in the file, or `nil` if the file doesn't exist.
  ///
  /// - Throws: The error from reading or decoding. A file that can't be decoded is set aside.
  public func load() throws -> Value? {
    guard let bytes = try files.read(path) else { return nil }
    known.bytes.withLock { $0 = bytes }
    return try decode(bytes)
  }

  /// Returns the value in the file, or `nil` if it is what was last read or written.
  ///
  /// - Throws: The error from reading or decoding. A file that can't be decoded is set aside.
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
  /// - Throws: `SharedFileError` if the file can't be written. The old file is kept.
  public func save(_ value: Value) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(value))
    known.bytes.withLock { $0 = bytes }
    try files.replace(path, bytes)
  }

  /// Calls a closure when the file may have changed.
  public func watch(_ onChange: @escaping @Sendable () -> Void) -> (any Sendable)? {
    files.watch(path, onChange)
  }
}

/// The contents last read or written. Only different contents are a change by another program.
private final class KnownBytes: Sendable {
  let bytes = Mutex<[UInt8]?>(nil)
}

extension SharedKey {
  /// Returns the key of a shared value that is stored in a file, as JSON.
  public static func fileStorage<Value: Codable & Sendable>(_ url: URL) -> Self
  where Self == FileStorageKey<Value> { FileStorageKey(url) }
}

import Synchronization

/// Access to the files that store shared values.
public struct SharedFiles: Sendable {
  /// Returns the bytes of a file, or `nil` if it doesn't exist.
  public var read: @Sendable (_ path: String) throws -> [UInt8]?
  /// Replaces a file, completely or not at all.
  public var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void
  /// Renames a file.
  public var rename: @Sendable (_ path: String, _ newPath: String) throws -> Void
  /// Calls a closure whenever any program, including this one, has written or replaced a file.
  /// Returns a token that keeps the watch alive, or `nil` if files can't be watched.
  public var watch: @Sendable (_ path: String, _ onChange: @escaping @Sendable () -> Void) -> Watch?

  /// Creates access to files from functions.
  public init(
    read: @escaping @Sendable (_ path: String) throws -> [UInt8]?,
    replace: @escaping @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void,
    rename: @escaping @Sendable (_ path: String, _ newPath: String) throws -> Void,
    watch:
      @escaping @Sendable (_ path: String, _ onChange: @escaping @Sendable () -> Void) ->
      Watch? = { _, _ in nil }
  ) {
    self.read = read
    self.replace = replace
    self.rename = rename
    self.watch = watch
  }

  /// Watches a file until it is deallocated.
  public final class Watch: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a watch.
    ///
    /// - Parameter end: Called when the watch is deallocated.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  /// Returns files in memory, for tests and previews.
  public static func inMemory(_ files: [String: [UInt8]] = [:]) -> Self {
    let memory = FilesInMemory(files)
    return Self(
      read: { path in memory.contents.withLock { $0[path] } },
      replace: { path, bytes in
        memory.contents.withLock { $0[path] = bytes }
        memory.observers.changed(path)
      },
      rename: { path, newPath in
        memory.contents.withLock { $0[newPath] = $0.removeValue(forKey: path) }
        memory.observers.changed(newPath)
      },
      watch: { path, onChange in memory.observers.add(path, onChange) })
  }
}

private final class FilesInMemory: Sendable {
  let contents: Mutex<[String: [UInt8]]>
  let observers = FileObservers()

  init(_ files: [String: [UInt8]]) { contents = Mutex(files) }
}

/// The closures to call when files change, by path.
final class FileObservers: Sendable {
  private struct Contents {
    var lastID = 0
    var observers: [String: [Int: @Sendable () -> Void]] = [:]
  }

  private let contents = Mutex(Contents())

  func add(
    _ path: String, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedFiles.Watch {
    let id = contents.withLock { contents in
      contents.lastID += 1
      contents.observers[path, default: [:]][contents.lastID] = onChange
      return contents.lastID
    }
    return SharedFiles.Watch { [weak self] in
      self?.contents.withLock { contents in
        contents.observers[path]?[id] = nil
        if contents.observers[path]?.isEmpty == true { contents.observers[path] = nil }
      }
    }
  }

  /// Calls the followers of a file.
  func changed(_ path: String) {
    for observer in contents.withLock({ $0.observers[path]?.values.map(\.self) ?? [] }) {
      observer()
    }
  }

  /// Calls all followers, when it isn't known which files have changed.
  func anythingChanged() {
    for path in contents.withLock({ Array($0.observers.keys) }) { changed(path) }
  }
}

/// An error with the file of a shared value.
public struct SharedFileError: Error, Equatable, CustomStringConvertible {
  /// The path of the file.
  public var path: String
  /// What went wrong.
  public var reason: String

  /// Creates an error.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path, and what went wrong.
  public var description: String { "\(path): \(reason)" }
}

extension DependencyValues {
  /// Access to the files that store shared values. In tests and previews they are in memory.
  public var sharedFiles: SharedFiles {
    get { self[SharedFilesKey.self] }
    set { self[SharedFilesKey.self] = newValue }
  }

  private enum SharedFilesKey: DependencyKey {
    static let liveValue = SharedFiles.live
    static var previewValue: SharedFiles { .inMemory() }
    static var testValue: SharedFiles { .inMemory() }
  }
}

import Synchronization

/// The files in which shared values are kept.
public struct SharedFiles: Sendable {
  /// The bytes of a file, or `nil` if there is none.
  public var read: @Sendable (_ path: String) throws -> [UInt8]?
  /// Puts bytes in the place of a file, all or none.
  public var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void
  /// Gives a file another name.
  public var rename: @Sendable (_ path: String, _ newPath: String) throws -> Void
  /// Tells when anybody has written or replaced a file, also when it was this program. What it
  /// returns has to be held as long as it observes; `nil` if it cannot.
  public var watch: @Sendable (_ path: String, _ onChange: @escaping @Sendable () -> Void) -> Watch?

  /// Makes access to files.
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

  /// Follows a file until it is let go.
  public final class Watch: Sendable {
    private let end: @Sendable () -> Void

    /// Makes a watch.
    ///
    /// - Parameter end: Called when it is let go.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  /// Files in memory, for tests and previews.
  public static func inMemory(_ files: [String: [UInt8]] = [:]) -> Self {
    let memory = FilesInMemory(files)
    return Self(
      read: { path in memory.contents.withLock { $0[path] } },
      replace: { path, bytes in
        memory.contents.withLock { $0[path] = bytes }
        memory.followers.changed(path)
      },
      rename: { path, newPath in
        memory.contents.withLock { $0[newPath] = $0.removeValue(forKey: path) }
        memory.followers.changed(newPath)
      },
      watch: { path, onChange in memory.followers.add(path, onChange) })
  }
}

private final class FilesInMemory: Sendable {
  let contents: Mutex<[String: [UInt8]]>
  let followers = FileFollowers()

  init(_ files: [String: [UInt8]]) { contents = Mutex(files) }
}

/// Those who want to know when a file has changed.
final class FileFollowers: Sendable {
  private struct Contents {
    var lastID = 0
    var followers: [String: [Int: @Sendable () -> Void]] = [:]
  }

  private let contents = Mutex(Contents())

  func add(
    _ path: String, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedFiles.Watch {
    let id = contents.withLock { contents in
      contents.lastID += 1
      contents.followers[path, default: [:]][contents.lastID] = onChange
      return contents.lastID
    }
    return SharedFiles.Watch { [weak self] in
      self?.contents.withLock { contents in
        contents.followers[path]?[id] = nil
        if contents.followers[path]?.isEmpty == true { contents.followers[path] = nil }
      }
    }
  }

  /// Tells those who follow a file.
  func changed(_ path: String) {
    for follower in contents.withLock({ $0.followers[path]?.values.map(\.self) ?? [] }) {
      follower()
    }
  }

  /// Tells everybody, because nobody knows what has changed.
  func anythingChanged() {
    for path in contents.withLock({ Array($0.followers.keys) }) { changed(path) }
  }
}

/// Why a file of a shared value could not be used.
public struct SharedFileError: Error, Equatable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What is wrong.
  public var reason: String

  /// Makes an error.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The file, and what is wrong.
  public var description: String { "\(path): \(reason)" }
}

extension DependencyValues {
  /// The files in which shared values are kept. In tests and previews they are in memory.
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

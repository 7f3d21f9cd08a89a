public import Clients
import FoundationEssentials
import Glibc

extension FileClient {
  /// Returns a client for the files of this machine.
  /// - Parameter environment: The environment, of which `HOME` and `XDG_CONFIG_HOME` are used.
  public static func live(environment: [String: String]) -> Self {
    let directories = UserDirectories(environment: environment)
    let disk = Disk()
    return Self {
      $0.documentsDirectory = { () async throws(LocalFileError) in
        guard let folder = await disk.run({ directories.documents }) else { throw .noHome }
        return folder
      }
      $0.path = { typed in absolutePath(of: typed, home: directories.home) }
      $0.contents = { (path: String, limit: Int) async throws(LocalFileError) in
        try await disk.run { () throws(LocalFileError) in
          try LocalFile(path).contents(limit: limit)
        }
      }
      $0.exists = { path in await disk.run { LocalFile(path).exists } }
      $0.completions = { typed in
        let typed = typed == "~" ? "~/" : typed
        let folder = absolutePath(of: typed.folderPart, home: directories.home)
        return await disk.run {
          LocalFile(folder).names(beginningWith: typed.lastPart).map { typed.folderPart + $0 }
        }
      }
      $0.delete = { (path: String) async throws(LocalFileError) in
        try await disk.run { () throws(LocalFileError) in try LocalFile(path).delete() }
      }
      $0.move = { (from: String, to: String) async throws(LocalFileError) in
        try await disk.run { () throws(LocalFileError) in
          try LocalFile(from).move(to: LocalFile(to))
        }
      }
    }
  }

  private static func absolutePath(of typed: String, home: String?) -> String {
    if let home, typed == "~" || typed.hasPrefix("~/") { return home + typed.dropFirst() }
    guard !typed.hasPrefix("/"), let folder = getcwd(nil, 0) else { return typed }
    defer { free(folder) }
    let current = String(cString: folder)
    return (current == "/" ? "" : current) + "/" + typed
  }
}

extension String {
  /// The part up to the last slash, which names a folder.
  fileprivate var folderPart: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }
  /// The part after the last slash.
  fileprivate var lastPart: String { String(dropFirst(folderPart.count)) }
}

/// Runs work on files, which may wait for a disk.
private actor Disk {
  private let queue = FileQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func run<Value: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}

public import Composable
public import FoundationEssentials

/// The files of this machine.
public struct FileClient: Sendable {
  /// Where the person keeps documents: what `user-dirs.dirs` of the XDG folders says, else the home
  /// folder.
  public var documentsDirectory: @Sendable () async throws(LocalFileError) -> String
  /// The absolute path that a typed one means: `~/…` begins in the home folder, a relative one in the
  /// folder that the program was started in.
  public var path: @Sendable (_ typed: String) -> String
  /// A file's bytes.
  /// - Throws: ``LocalFileError/tooLarge(path:)`` for one with more than `limit`.
  public var contents: @Sendable (_ path: String, _ limit: Int) async throws(LocalFileError) -> Data
  /// Whether something has this name.
  public var exists: @Sendable (_ path: String) async -> Bool
  public var delete: @Sendable (_ path: String) async throws(LocalFileError) -> Void
  /// Gives a file another name on the same disk.
  /// - Throws: ``LocalFileError/exists(path:)`` where something has it, which is left alone.
  public var move: @Sendable (_ from: String, _ to: String) async throws(LocalFileError) -> Void

  public init(
    documentsDirectory: @escaping @Sendable () async throws(LocalFileError) -> String,
    path: @escaping @Sendable (String) -> String,
    contents: @escaping @Sendable (String, Int) async throws(LocalFileError) -> Data,
    exists: @escaping @Sendable (String) async -> Bool,
    delete: @escaping @Sendable (String) async throws(LocalFileError) -> Void,
    move: @escaping @Sendable (String, String) async throws(LocalFileError) -> Void
  ) {
    self.documentsDirectory = documentsDirectory
    self.path = path
    self.contents = contents
    self.exists = exists
    self.delete = delete
    self.move = move
  }
}

extension FileClient: TestDependencyKey {
  public static var testValue: Self {
    func missing(_ name: String) -> LocalFileError { .unimplemented("FileClient.\(name)") }
    return Self(
      documentsDirectory: unimplemented(
        "FileClient.documentsDirectory", throwing: missing("documentsDirectory")),
      path: unimplemented("FileClient.path", placeholder: ""),
      contents: unimplemented("FileClient.contents", throwing: missing("contents")),
      exists: unimplemented("FileClient.exists", placeholder: false),
      delete: unimplemented("FileClient.delete", throwing: missing("delete")),
      move: unimplemented("FileClient.move", throwing: missing("move")))
  }
}

extension DependencyValues {
  public var fileClient: FileClient {
    get { self[FileClient.self] }
    set { self[FileClient.self] = newValue }
  }
}

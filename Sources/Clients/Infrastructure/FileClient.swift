public import Composable
public import FoundationEssentials

/// The files of this machine.
public struct FileClient: ClientInterface {
  /// Where the person keeps documents: what `user-dirs.dirs` of the XDG folders says, else the home
  /// folder.
  @Endpoint("FileClient.documentsDirectory")
  public var documentsDirectory: @Sendable () async throws(LocalFileError) -> String
  /// The absolute path that a typed one means: `~/…` begins in the home folder, a relative one in the
  /// folder that the program was started in.
  public var path: @Sendable (_ typed: String) -> String = unimplemented(
    "FileClient.path", placeholder: "")
  /// A file's bytes.
  /// - Throws: ``LocalFileError/tooLarge(path:)`` for one with more than `limit`.
  @Endpoint("FileClient.contents")
  public var contents: @Sendable (_ path: String, _ limit: Int) async throws(LocalFileError) -> Data
  /// Whether something has this name.
  public var exists: @Sendable (_ path: String) async -> Bool = unimplemented(
    "FileClient.exists", placeholder: false)
  @Endpoint("FileClient.delete")
  public var delete: @Sendable (_ path: String) async throws(LocalFileError) -> Void
  /// Gives a file another name on the same disk.
  /// - Throws: ``LocalFileError/exists(path:)`` where something has it, which is left alone.
  @Endpoint("FileClient.move")
  public var move: @Sendable (_ from: String, _ to: String) async throws(LocalFileError) -> Void

  public init() {}
}

extension DependencyValues {
  public var fileClient: FileClient {
    get { self[FileClient.self] }
    set { self[FileClient.self] = newValue }
  }
}

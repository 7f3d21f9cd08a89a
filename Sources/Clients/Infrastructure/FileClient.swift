public import Composable
public import FoundationEssentials

/// The files of this machine.
public struct FileClient: ClientInterface {
  /// Where the person keeps documents: what `user-dirs.dirs` of the XDG folders says, else the home
  /// folder.
  public var documentsDirectory: @Sendable () async throws(LocalFileError) -> String =
    unimplemented("FileClient.documentsDirectory")
  /// The absolute path that a typed one means: `~/…` begins in the home folder, a relative one in the
  /// folder that the program was started in.
  public var path: @Sendable (_ typed: String) -> String = unimplemented(
    "FileClient.path", placeholder: "")
  /// A file's bytes.
  /// - Throws: ``LocalFileError/tooLarge(path:)`` for one with more than `limit`.
  public var contents:
    @Sendable (_ path: String, _ limit: Int) async throws(LocalFileError) -> Data = unimplemented(
      "FileClient.contents")
  /// Whether something has this name.
  public var exists: @Sendable (_ path: String) async -> Bool = unimplemented(
    "FileClient.exists", placeholder: false)
  public var delete: @Sendable (_ path: String) async throws(LocalFileError) -> Void =
    unimplemented("FileClient.delete")
  /// Gives a file another name on the same disk.
  /// - Throws: ``LocalFileError/exists(path:)`` where something has it, which is left alone.
  public var move: @Sendable (_ from: String, _ to: String) async throws(LocalFileError) -> Void =
    unimplemented("FileClient.move")

  public init() {}
}

extension DependencyValues {
  public var fileClient: FileClient {
    get { self[FileClient.self] }
    set { self[FileClient.self] = newValue }
  }
}

public import Composable
public import FoundationEssentials

/// The files of this machine.
public struct FileClient: ClientInterface {
  /// Returns the folder in which the person keeps documents: the one in `user-dirs.dirs` of the XDG
  /// folders, else the home folder.
  @Endpoint("FileClient.documentsDirectory")
  public var documentsDirectory: @Sendable () async throws(LocalFileError) -> String
  /// Returns the absolute path for a typed one: `~/…` starts in the home folder, a relative path in
  /// the folder in which the program was started.
  public var path: @Sendable (_ typed: String) -> String = unimplemented(
    "FileClient.path", placeholder: "")
  /// Returns the contents of a file.
  /// - Throws: ``LocalFileError/tooLarge(path:)`` for a file of more than `limit` bytes.
  @Endpoint("FileClient.contents")
  public var contents: @Sendable (_ path: String, _ limit: Int) async throws(LocalFileError) -> Data
  /// Returns whether something has this name.
  public var exists: @Sendable (_ path: String) async -> Bool = unimplemented(
    "FileClient.exists", placeholder: false)
  /// Returns the files and folders whose path begins with a typed one, in the way it was typed and
  /// sorted by name: folders end with a slash. Hidden ones are left out unless their dot is typed.
  public var completions: @Sendable (_ typed: String) async -> [String] = unimplemented(
    "FileClient.completions", placeholder: [])
  @Endpoint("FileClient.delete")
  public var delete: @Sendable (_ path: String) async throws(LocalFileError) -> Void
  /// Renames a file on the same disk.
  /// - Throws: ``LocalFileError/exists(path:)`` if something has the new name; it is left
  ///   unchanged.
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

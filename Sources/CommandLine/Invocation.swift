public import Clients
public import Composable
import Domain
public import FoundationEssentials
import Terminal

/// Everything one run of the program gets from outside and gives back. Tests pass their own.
public struct Invocation: Sendable {
  /// The arguments without the program's name.
  public var arguments: [String]
  public var variables: [String: String]
  /// The e-mail address of the account to use; `nil` for the one that signed in last.
  public var account: String?
  public var standardOutput: TextOutput
  public var standardError: TextOutput
  public var storeAccess: StoreAccess
  public var recordingAccess: RecordingAccess
  public var machine: MachineAccess
  /// The demo's clock. Stores have their own.
  public var now: @Sendable () -> Date
  /// Returns the bytes of a file, at most one more than `limit`; `nil` if there is no such file.
  public var readFile: @Sendable (_ path: String, _ limit: Int) throws(FileError) -> [UInt8]?
  /// Reads the `config.json5` at a path.
  public var readSettings:
    @Sendable (_ path: String) throws(ConfigurationError) -> SavedConfiguration
  /// Replaces a file that only its owner can read. If that fails, the old file stays.
  public var writeFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// Reads one line from standard input. On a terminal, it prompts and doesn't echo.
  public var readSecret: @Sendable (_ prompt: String) throws(SecretError) -> String
  /// Whether someone types what ``readSecret`` reads, and can type it again.
  public var typesSecrets: @Sendable () -> Bool = { false }
  /// Waits a few seconds for a line on standard input.
  public var nextLine: @Sendable () async -> LineEvent
  /// Replaces this process with `lifesignal-monitor`.
  /// - Returns: The reason, only if that failed.
  public var execMonitor: @Sendable (_ arguments: [String]) -> String
}

/// Access to the store and its backups.
public struct StoreAccess: Sendable {
  /// Opens the store, creating it if there is none.
  /// - Parameters:
  ///   - account: The e-mail address of the account, or `nil` for the one that signed in last.
  ///   - waits: Whether a store that can't be opened is tried again with each request, which fails
  ///     until then.
  /// - Returns: A closure that sets the platform's clients.
  public var open:
    @Sendable (Folders, _ account: String?, _ waits: Bool) throws(StorageError) -> ClientProvider
  /// Moves what is left of a damaged store aside, so that ``open`` creates a new one.
  /// - Returns: Its new path; `nil` if nothing was left.
  public var setAside: @Sendable (Folders) throws(StorageError) -> String?
  /// Lists the backups, newest first.
  public var backups: @Sendable (Folders) throws(StorageError) -> [StoreBackup]
  /// Replaces the store with the backup of that file name, or with the newest undamaged one.
  public var restore:
    @Sendable (Folders, _ backup: String?) throws(StorageError) -> StoreRestoration
  /// Examines the file of a store that can be opened.
  public var examine: @Sendable (Folders) throws(StorageError) -> StoreExamination
  /// Access to a server, for machines whose accounts are on one.
  var servers = ServerAccess()

  /// A closure that sets a platform's clients.
  public typealias ClientProvider = @Sendable (inout DependencyValues) -> Void
}

/// Why a file could not be read or written, as the system describes it.
public struct FileError: Error, Equatable, Sendable {
  public var reason: String
}

extension Invocation {
  /// The variable from which a monitor takes the mail password. ``variables`` holds only whether it
  /// is set.
  static let passwordVariable = "LIFESIGNAL_SMTP_PASSWORD"

  /// Whether the environment has a mail password, which takes precedence over all others.
  var hasPassword: Bool { variables[Self.passwordVariable] != nil }

  /// Returns the same invocation for a command that uses another account.
  func working(for account: String?) -> Invocation {
    var invocation = self
    invocation.account = account
    return invocation
  }

  /// Writes a line to standard output at once, for a command that goes on to wait. If that fails,
  /// so does the report that follows, which says so.
  func say(_ line: String) { _ = standardOutput.write(standardOutput.line(line)) }

  /// Returns the text of an error. On a machine that has joined a server, it suggests signing in
  /// instead of creating an account.
  func text(of error: ClientError) -> ErrorText {
    var text = error.text
    if error.needsSignIn, (try? joinedServer()) != nil {
      text.recovery = "Sign in with lifesignal sign-in EMAIL."
    }
    return text
  }

  /// Asks before something that can't be undone. Any answer but yes ends the command.
  func confirm(_ question: String) async throws {
    _ = standardOutput.write("\(question) Type yes: ")
    while true {
      switch await nextLine() {
      case .nothing: continue
      case .line(let answer) where answer.trimmingWhitespace().lowercased() == "yes": return
      case .line, .end: throw CommandFailure("Nothing was changed.")
      }
    }
  }

  /// Reads a file that the user named.
  func contents(of path: String, upTo limit: Int, tooLarge: CommandFailure) throws -> Data {
    let bytes: [UInt8]?
    do { bytes = try readFile(path, limit) } catch {
      throw CommandFailure("\(shownPath(path)) can't be read: \(error.reason).")
    }
    guard let bytes else { throw CommandFailure("There is no file \(shownPath(path)).") }
    guard bytes.count <= limit else { throw tooLarge }
    return Data(bytes)
  }

  /// Returns the folders of the user's files.
  func folders() throws(CommandFailure) -> Folders {
    guard let folders = Folders(environment: variables) else {
      throw CommandFailure(
        "There is no home folder: HOME is not set to an absolute path.",
        advice: "Set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME.")
    }
    return folders
  }

  /// Returns the contents of `config.json5`; empty if there is no such file.
  func configuration(_ folders: Folders) throws(ConfigurationError) -> SavedConfiguration {
    try readSettings(folders.configuration)
  }

  /// Returns what is wrong with `config.json5`; `nil` if it is valid or missing.
  func configurationError(_ folders: Folders) -> ConfigurationError? {
    do throws(ConfigurationError) {
      _ = try configuration(folders)
      return nil
    } catch {
      return error
    }
  }
}

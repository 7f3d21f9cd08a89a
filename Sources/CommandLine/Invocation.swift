public import Clients
public import Composable
import Domain
public import FoundationEssentials
import Terminal

/// All that one run of the program gets from outside and gives back; tests pass their own.
public struct Invocation: Sendable {
  /// Without the program's name.
  public var arguments: [String]
  public var variables: [String: String]
  /// The address of the account to work for; `nil` for the one that signed in last.
  public var account: String?
  public var standardOutput: TextOutput
  public var standardError: TextOutput
  public var storeAccess: StoreAccess
  public var recordingAccess: RecordingAccess
  public var machine: MachineAccess
  /// The clock of the demo; a store stamps by its own.
  public var now: @Sendable () -> Date
  /// The bytes of a file, at most one more than `limit`; `nil` when there is none.
  public var readFile: @Sendable (_ path: String, _ limit: Int) throws(FileError) -> [UInt8]?
  /// What `config.json5` says, by its path.
  public var readSettings:
    @Sendable (_ path: String) throws(ConfigurationError) -> SavedConfiguration
  /// Writes a whole file that only its owner may read, or leaves what was there.
  public var writeFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// Reads one line from standard input; from a terminal with a prompt and without showing it.
  public var readSecret: @Sendable (_ prompt: String) throws(SecretError) -> String
  /// Whether somebody types what ``readSecret`` reads, and can type it again.
  public var typesSecrets: @Sendable () -> Bool = { false }
  /// Waits for a line on standard input, some seconds at a time.
  public var nextLine: @Sendable () async -> LineEvent
  /// Replaces this process by `lifesignal-monitor`.
  /// - Returns: only when that failed, with the reason.
  public var becomeMonitor: @Sendable (_ arguments: [String]) -> String
}

/// How the program comes to a store.
public struct StoreAccess: Sendable {
  /// Opens the store, making it where there was none.
  /// - Returns: what sets the platform's clients, for the account with an address or the one that signed in
  ///   last.
  /// - Parameter waits: Whether one that can't be opened is tried again with each request, which fails
  ///   until then.
  public var open:
    @Sendable (Folders, _ account: String?, _ waits: Bool) throws(StorageError) -> ClientProvider
  /// Moves what is left of a damaged store aside, so that ``open`` makes a new one.
  /// - Returns: where it is now; `nil` when nothing was left.
  public var setAside: @Sendable (Folders) throws(StorageError) -> String?
  /// The backups that there are, newest first.
  public var backups: @Sendable (Folders) throws(StorageError) -> [StoreBackup]
  /// Puts a backup in the store's place, by the name of its file or the newest that is whole.
  public var restore:
    @Sendable (Folders, _ backup: String?) throws(StorageError) -> StoreRestoration
  /// Looks through the file of a store that can be opened.
  public var examine: @Sendable (Folders) throws(StorageError) -> StoreExamination
  /// For machines whose accounts are on a server.
  var servers = ServerAccess()

  /// Sets the clients of a platform.
  public typealias ClientProvider = @Sendable (inout DependencyValues) -> Void
}

/// Why a file could not be read or written, in the system's words.
public struct FileError: Error, Equatable, Sendable {
  public var reason: String
}

extension Invocation {
  /// The variable from which a monitor takes the mail password. Of it ``variables`` holds only whether
  /// it is set.
  static let passwordVariable = "LIFESIGNAL_SMTP_PASSWORD"

  /// Whether the environment has a mail password, which comes before all others.
  var hasPassword: Bool { variables[Self.passwordVariable] != nil }

  /// The same for a command that works for an account.
  func working(for account: String?) -> Invocation {
    var invocation = self
    invocation.account = account
    return invocation
  }

  /// Writes a line to standard output at once: for a command that goes on to wait. When it cannot be
  /// written, neither can the report that follows, which says so.
  func say(_ line: String) { _ = standardOutput.write(standardOutput.line(line)) }

  /// What an error says to the person who gave a command: on a machine that has joined a server, nobody creates an
  /// account of the machine.
  func text(of error: ClientError) -> ErrorText {
    var text = error.text
    if error.needsSignIn, (try? joinedServer()) != nil {
      text.recovery = "Sign in with lifesignal sign-in EMAIL."
    }
    return text
  }

  /// Asks before something that cannot be taken back; anything but yes ends the command.
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

  /// A whole file that the person named.
  func contents(of path: String, upTo limit: Int, tooLarge: CommandFailure) throws -> Data {
    let bytes: [UInt8]?
    do { bytes = try readFile(path, limit) } catch {
      throw CommandFailure("\(shownPath(path)) can't be read: \(error.reason).")
    }
    guard let bytes else { throw CommandFailure("There is no file \(shownPath(path)).") }
    guard bytes.count <= limit else { throw tooLarge }
    return Data(bytes)
  }

  /// Where the person's files are.
  func folders() throws(CommandFailure) -> Folders {
    guard let folders = Folders(environment: variables) else {
      throw CommandFailure(
        "There is no home folder: HOME is not set to an absolute path.",
        advice: "Set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME.")
    }
    return folders
  }

  /// What `config.json5` says; empty where there is none.
  func configuration(_ folders: Folders) throws(ConfigurationError) -> SavedConfiguration {
    try readSettings(folders.configuration)
  }

  /// What is wrong with `config.json5`; `nil` when it is well or not there.
  func configurationError(_ folders: Folders) -> ConfigurationError? {
    do throws(ConfigurationError) {
      _ = try configuration(folders)
      return nil
    } catch {
      return error
    }
  }
}

package import System

/// The arguments of the command line.
package struct ServerArguments: Equatable, Sendable {
  package typealias Misuse = ProgramArguments.Misuse

  package enum Command: String, CaseIterable, Sendable {
    case initialize = "init"
    case run, invite, users, migrate, check, backup, restore, restored, stats
    case backupKey = "backup-key"

    /// The options that it takes, each with a value.
    var options: [String] {
      switch self {
      case .initialize:
        [
          "data", "url", "listen", "database-file", "registration", "tls-cert", "tls-key",
          "trusted-proxy",
        ]
      case .invite: ["data", "uses", "days"]
      case .backup, .restore: ["data", "database-file"]
      default: ["data"]
      }
    }

    /// The options without a value.
    var flags: Set<String> {
      switch self {
      case .restore, .restored: ["end-sessions"]
      case .backup: ["plain"]
      default: []
      }
    }

    /// How many further words it takes.
    var positionalCount: ClosedRange<Int> {
      switch self {
      case .users: 0...2
      case .backup, .restore: 1...1
      default: 0...0
      }
    }
  }

  package let command: Command
  private let parsed: ProgramArguments

  package var options: [String: String] { parsed.options }
  package var flags: Set<String> { parsed.flags }
  package var positional: [String] { parsed.positional }

  /// Parses the arguments; returns `nil` if they ask for help.
  package init?(_ arguments: [String]) throws(Misuse) {
    if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") { return nil }
    guard let command = Command(rawValue: arguments[0]) else {
      throw Misuse(reason: "“\(arguments[0].prefix(40).onOneLine)” isn't a command")
    }
    self.command = command
    parsed = try ProgramArguments(
      arguments.dropFirst(),
      options: Dictionary(uniqueKeysWithValues: command.options.map { ($0, "a value") }),
      flags: command.flags, of: command.rawValue)
    guard command.positionalCount.contains(positional.count) else {
      throw Misuse(
        reason: positional.isEmpty
          ? "\(command.rawValue) needs a file" : "\(command.rawValue) takes fewer arguments")
    }
    guard options["data"] != nil else { throw Misuse(reason: "--data DIR is missing") }
  }

  /// Returns the folder as an absolute path.
  func folder(in current: String) -> String {
    let data = options["data"] ?? ""
    return data.hasPrefix("/") ? data : current + "/" + data
  }

  /// Returns the whole number of an option, which must be within a range.
  func number(_ name: String, _ standard: Int, in range: ClosedRange<Int>) throws(Misuse) -> Int {
    guard let text = options[name] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw Misuse(reason: "--\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  package static let usage = """
    Usage: lifesignal-server COMMAND --data DIR [OPTION…]

    Keeps the accounts of people on different machines and answers their apps over HTTPS.
    lifesignal-monitor --data DIR watches them: run both.

      init --url URL --listen HOST:PORT   Set up a server in an empty folder
           --registration invite|open|closed   Who can open an account (default: invite)
           --tls-cert FILE --tls-key FILE      Serve TLS; without these, a proxy must
           --trusted-proxy ADDRESS             The proxy whose X-Forwarded-For is trusted
           --database-file FILE                PostgreSQL instead of a file in the folder
      run                       Answer requests until SIGTERM; SIGHUP reloads the certificate
      invite [--uses N] [--days N]   Make an invitation; the link is the last line
      users                     List the accounts
      users disable EMAIL       Block signing in; the account stays watched
      users enable EMAIL        Undo that
      users reset EMAIL         Make a code to set a new password
      migrate                   Bring the store up to date
      check                     Check that everything works; exits with 1 if it doesn't
      backup FILE               Back up the store, documents and settings to a sealed file
              --plain           Don't seal it: who has the file can read it
      restore FILE              Restore a backup into an empty folder, and notify everybody; reads
                                the recovery code from standard input
              --database-file FILE   With either: an administrator's, for PostgreSQL
      backup-key                Seal backups to another key from now on; prints its recovery code
      restored                  Notify everybody after pg_restore
              --end-sessions    With either: sign out every device, as after a theft
      stats                     Show the numbers of accounts, messages and files

    """
}

import System

/// The parsed command line: the request, and whose store it is about.
struct MonitorArguments: Equatable {
  var request: Arguments
  /// The folder of a server; `nil` for the store of the user who runs the program.
  var server: String?
  /// The file that holds the database's connection string.
  var databaseFile: String?
  /// The file with the mail account to test, instead of the one in use.
  var candidate: String?

  /// - Parameter arguments: The arguments without the program's name.
  init(_ arguments: [String]) throws(ProgramArguments.Misuse) {
    // Everyone on the machine can see a program's arguments, so the message doesn't repeat them.
    if arguments.contains(where: { $0.contains("://") || $0.contains("password=") }) {
      throw .init(
        reason:
          "A connection string may contain a password, so write it into a file that only you"
          + " can read, and name that file with --database-file")
    }
    let parsed = try ProgramArguments(
      arguments.map { $0 == "-h" ? "--help" : $0 },
      options: [
        "data": "a folder", "database-file": "the name of a file",
        "test-mail": "the name of a file",
      ], flags: Arguments.flags)
    if let word = parsed.positional.first { throw ProgramArguments.unknown(word) }
    server = parsed.options["data"]
    databaseFile = parsed.options["database-file"]
    guard server == nil || databaseFile == nil else {
      throw .init(reason: "--data and --database-file can't be used together")
    }
    candidate = parsed.options["test-mail"]
    request = try Arguments(parsed.flags.union(candidate == nil ? [] : ["test-delivery"]))
  }
}

/// The request on the command line.
enum Arguments: Equatable {
  case watch(Set<WatchOption>)
  case once
  case testDelivery
  case help
  case version

  /// An option of a monitor that watches.
  enum WatchOption: String, CaseIterable {
    case ifNone = "--if-none"
    case wait = "--wait"
    case untilInputEnds = "--until-input-ends"
  }

  /// The names of all of them, without the dashes.
  static let flags = Set(
    WatchOption.allCases.map { String($0.rawValue.dropFirst(2)) } + [
      "once", "test-delivery", "help", "version",
    ])

  fileprivate init(_ flags: Set<String>) throws(ProgramArguments.Misuse) {
    let options = Set(flags.map { "--" + $0 })
    if flags.contains("help") {
      self = .help
    } else if flags.contains("version") {
      self = .version
    } else if options.isSubset(of: WatchOption.allCases.map(\.rawValue)) {
      self = .watch(Set(options.compactMap(WatchOption.init)))
    } else if options.count > 1 {
      throw .init(reason: "\(options.sorted().joined(separator: " and ")) can't be used together")
    } else {
      self = flags.contains("once") ? .once : .testDelivery
    }
  }

  /// Returns whether it watches, with this option.
  func watches(_ option: WatchOption) -> Bool {
    if case .watch(let options) = self { options.contains(option) } else { false }
  }

  static let usage = """
    Usage: lifesignal-monitor [--once | --test-delivery
                               | [--if-none] [--wait] [--until-input-ends]]
                              [--data DIR | --database-file FILE]

    Watches the deadlines in your store and notifies the responders. Runs until it gets SIGTERM or
    SIGINT, and logs to standard error.

      --once           Send what is due now, then exit; exits with 1 if a message could not be
                       sent or an account could not be watched
      --if-none        Exit at once, with 0, if another monitor is running
      --wait           Wait for a store that isn't there yet, such as one on a disk that is mounted
                       later
      --until-input-ends
                       Stop watching when standard input ends; send what is due for two more
                       minutes, calls for help for up to an hour, and exit
      --test-delivery  Send a test message to your own address; exits with 1 if it was not sent
      --test-mail FILE Send a test message through the mail account in FILE, to its own address;
                       lifesignal mail setup does this before it puts an account into use
      --data DIR       Watch the accounts of the server in this folder
      --database-file FILE
                       Watch everyone in a PostgreSQL database instead of your own store; FILE has
                       its connection string or URL, and only you must be able to read it
      --help           Show this help
      --version        Show the version

    Set up mail with lifesignal mail setup; heartbeats and links are in config.json5. The password
    of the mail server comes from LIFESIGNAL_SMTP_PASSWORD or lifesignal keychain.

    """
}

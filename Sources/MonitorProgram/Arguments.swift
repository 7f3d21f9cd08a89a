/// The parsed command line: the request, and whose store it is about.
struct MonitorArguments: Equatable {
  var request: Arguments
  /// The folder of a server; `nil` for the store of the user who runs the program.
  var server: String?
  /// The file that holds the database's connection string.
  var databaseFile: String?
  /// The file with the mail account to test, instead of the one in use.
  var candidate: String?

  init(_ words: [String]) throws(Arguments.Misuse) {
    var words = words
    databaseFile = try Arguments.takeDatabaseFile(from: &words)
    if let index = words.firstIndex(where: { $0 == "--data" || $0.hasPrefix("--data=") }) {
      let word = words.remove(at: index)
      if word == "--data", index < words.count {
        server = words.remove(at: index)
      } else {
        server = String(word.dropFirst("--data=".count))
      }
      guard server?.isEmpty == false else {
        throw Arguments.Misuse(reason: "--data needs a folder")
      }
      guard databaseFile == nil else {
        throw Arguments.Misuse(reason: "--data and --database-file can't be used together")
      }
    }
    if let index = words.firstIndex(of: "--test-mail") {
      guard words.indices.contains(index + 1) else {
        throw Arguments.Misuse(reason: "--test-mail needs the name of a file")
      }
      candidate = words[index + 1]
      words.replaceSubrange(index...index + 1, with: ["--test-delivery"])
    }
    request = try Arguments(words)
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

  struct Misuse: Error, Equatable {
    var reason: String
  }

  /// - Parameter words: The arguments without the program's name.
  init(_ words: some Sequence<String>) throws(Misuse) {
    var options: Set<String> = []
    for word in words {
      guard Self.words.contains(word) else {
        throw Misuse(reason: "“\(word.prefix(40))” isn't an option")
      }
      options.insert(word)
    }
    if !options.isDisjoint(with: ["--help", "-h"]) {
      self = .help
    } else if options.contains("--version") {
      self = .version
    } else if options.isSubset(of: WatchOption.allCases.map(\.rawValue)) {
      self = .watch(Set(options.compactMap(WatchOption.init)))
    } else if options.count > 1 {
      throw Misuse(reason: "\(options.sorted().joined(separator: " and ")) can't be used together")
    } else {
      switch options.first {
      case "--once": self = .once
      default: self = .testDelivery
      }
    }
  }

  /// Returns whether it watches, with this option.
  func watches(_ option: WatchOption) -> Bool {
    if case .watch(let options) = self { options.contains(option) } else { false }
  }

  /// Removes the database file's option from the arguments and returns its value.
  static func takeDatabaseFile(from words: inout [String]) throws(Misuse) -> String? {
    // Everyone on the machine can see a program's arguments, so the message doesn't repeat them.
    if words.contains(where: { $0.contains("://") || $0.contains("password=") }) {
      throw Misuse(
        reason:
          "A connection string may contain a password, so write it into a file that only you"
          + " can read, and name that file with --database-file")
    }
    guard let index = words.firstIndex(of: "--database-file") else { return nil }
    guard words.indices.contains(index + 1) else {
      throw Misuse(reason: "--database-file needs the name of a file")
    }
    defer { words.removeSubrange(index...index + 1) }
    return words[index + 1]
  }

  private static let words =
    WatchOption.allCases.map(\.rawValue) + [
      "--once", "--test-delivery", "--help", "-h", "--version",
    ]

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

/// What the command line asks for, and whose store it is about.
struct MonitorArguments: Equatable {
  var request: Arguments
  /// The folder of a server; `nil` for the store of the person who runs it.
  var server: String?

  init(_ words: [String]) throws(Arguments.Misuse) {
    var words = words
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
    }
    request = try Arguments(words)
  }
}

/// What the command line asks for.
enum Arguments: Equatable {
  case watch(onlyIfNone: Bool)
  case once
  case testDelivery
  case help
  case version

  struct Misuse: Error, Equatable {
    var reason: String
  }

  /// - Parameter words: the words after the program's name.
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
    } else if options.count > 1 {
      throw Misuse(reason: "\(options.sorted().joined(separator: " and ")) do not go together")
    } else {
      switch options.first {
      case "--once": self = .once
      case "--test-delivery": self = .testDelivery
      default: self = .watch(onlyIfNone: !options.isEmpty)
      }
    }
  }

  private static let words = [
    "--once", "--if-none", "--test-delivery", "--help", "-h", "--version",
  ]

  static let usage = """
    Usage: lifesignal-monitor [--once | --if-none | --test-delivery] [--data DIR]

    Watches the deadlines in your store and notifies the responders. Runs until it gets SIGTERM or
    SIGINT, and logs to standard error.

      --once           Send what is due now, then exit; exits with 1 if a message could not be
                       sent or an account could not be watched
      --if-none        Exit at once, with 0, if another monitor is running
      --test-delivery  Send a test message to your own address; exits with 1 if it was not sent
      --data DIR       Watch the accounts of the server in this folder
      --help           Show this help
      --version        Show the version

    Set up mail with lifesignal mail setup; heartbeats and links are in config.json5. The password
    of the mail server comes from LIFESIGNAL_SMTP_PASSWORD or lifesignal keychain.

    """
}

/// What the command line asks for.
enum Arguments: Equatable {
  case watch(onlyIfNone: Bool)
  case once
  case testDelivery
  case help

  struct Misuse: Error, Equatable {
    var reason: String
  }

  /// - Parameter words: the words after the program's name.
  init(_ words: some Sequence<String>) throws(Misuse) {
    var options: Set<String> = []
    for word in words {
      guard ["--once", "--if-none", "--test-delivery", "--help", "-h"].contains(word) else {
        throw Misuse(reason: "“\(word.prefix(40))” is not known here")
      }
      options.insert(word)
    }
    if !options.isDisjoint(with: ["--help", "-h"]) {
      self = .help
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

  static let usage = """
    usage: lifesignal-monitor [--once | --if-none | --test-delivery]

    Watches the deadlines of this person's store and tells the responders. It runs until it gets
    SIGTERM or SIGINT, and tells on standard error what it does.

      --once           deliver what is due now, and end: 0 when all of it was delivered and every
                       account can be watched, else 1
      --if-none        end at once, with 0, when another monitor is alive
      --test-delivery  send a test message to your own address, and end: 0 when it was sent, else 1
      --help           show this

    Mail, a heartbeat and links are set up in config.json5; the password of the mail server comes
    from LIFESIGNAL_SMTP_PASSWORD or the keychain.

    """
}

import Domain

/// A line of the user in the conversation: a verb and its object.
struct ConversationInput: Equatable {
  enum Verb: String, CaseIterable {
    case checkIn = "check in"
    case status, alert
    case cancel = "cancel alert"
    case contacts, add, change, remove, interval, history, notifications, pause, resume, help, quit
  }

  var verb: Verb
  /// A contact's name; can be empty.
  var object: String

  /// Reads the verb's words or a prefix of them; if several verbs match, the first in the list
  /// wins.
  init?(_ words: String) {
    let said = words.split(separator: " ").map(String.init).joined(separator: " ")
    let lowercased = said.lowercased()
    if lowercased.hasPrefix("!") || lowercased.hasPrefix("！") || Self.calls.contains(lowercased) {
      self.init(verb: .alert, object: "")
      return
    }
    for verb in Verb.allCases where lowercased == verb.rawValue {
      self.init(verb: verb, object: "")
      return
    }
    for verb in [Verb.change, .remove] where lowercased.hasPrefix(verb.rawValue + " ") {
      self.init(verb: verb, object: String(said.dropFirst(verb.rawValue.count + 1)))
      return
    }
    let spoken = lowercased.replacing("-", with: " ")
    let fitting = Verb.allCases.filter { $0.rawValue.hasPrefix(spoken) }
    // The first match wins: check in before cancel, contacts and change.
    guard let verb = fitting.first else { return nil }
    self.init(verb: verb, object: "")
  }

  /// Reads a verb only if all of its words are there. Anything shorter may just as well be an
  /// answer.
  init?(inFull words: String) {
    guard let sentence = ConversationInput(words) else { return nil }
    let spoken = words.lowercased().replacing("-", with: " ")
    guard
      spoken == sentence.verb.rawValue || spoken.hasPrefix("!") || spoken.hasPrefix("！")
        || Self.calls.contains(spoken)
    else { return nil }
    self = sentence
  }

  /// What somebody may say instead of `alert`.
  private static let calls: Set<String> = ["sos", "help!", "help me", "emergency", "mayday"]

  private init(verb: Verb, object: String) {
    self.verb = verb
    self.object = object
  }
}

extension ConversationInput.Verb {
  static let helpLines =
    ["You can say, in full or by the first letters:"]
    + allCases.map { "\($0.rawValue): \($0.help)" }
    + [
      "And these commands of lifesignal, such as ping Grace Hopper:",
      "\(TypedCommand.names.joinedAsList). For more, say help and one of these words.",
      "A single dot instead of an answer cancels.",
    ]

  private var help: String {
    switch self {
    case .checkIn: "check in; the deadline moves"
    case .status: "how much time is left, and who watches"
    case .alert: "notify every responder now that you need help"
    case .cancel: "end your alert"
    case .contacts: "your responders and dependents"
    case .add: "add a contact"
    case .change: "change a contact, as in change Grace"
    case .remove: "remove a contact, as in remove Grace"
    case .interval: "how often you check in"
    case .history: "your last check-ins"
    case .notifications: "your unread notifications"
    case .pause: "pause check-ins for a while"
    case .resume: "end the pause and check in"
    case .help: "this"
    case .quit: "quit; the monitor keeps running"
    }
  }
}

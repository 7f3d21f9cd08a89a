import Domain

/// What somebody types who needs help now: raising an alert never fails on grammar (ALT-1).
enum CallForHelp {
  /// Words that raise nothing by themselves, but whose error says what does.
  static let suggestions: Set<String> = [
    "emergency", "alarm", "danger", "panic", "mayday", "urgent", "911", "112", "999", "000", "110",
    "119", "raise",
  ]

  /// Returns the command that raises an alert, for a name in any spelling: `SOS`, `help!`, `Alert`,
  /// and `alrt` before `on`.
  static func command(for name: String, followedBy next: String?) -> String? {
    let name = name.lowercased()
    let bare = String(name.prefix { $0 != "!" && $0 != "！" })
    if bare == "sos" || bare == "alert" { return bare }
    if bare == "help", bare != name { return "sos" }
    let isAlert = isNear(name, "alert")
    return isAlert && next?.lowercased() == "on" ? "alert" : nil
  }

  /// What a word after `alert` that isn't `on` means.
  enum Meaning: Equatable {
    /// Raise the alert with these words.
    case raise([String])
    /// Cancel it.
    case cancel
    /// It may be a command: ask.
    case unclear
  }

  /// Reads the words after `alert`.
  static func meaning(of words: [String]) -> Meaning {
    guard let first = words.first?.trimmingWhitespace().lowercased(), !first.isEmpty else {
      return words.count > 1 ? .raise(Array(words.dropFirst())) : .unclear
    }
    if first == "on" { return .raise(Array(words.dropFirst())) }
    if first == "off" && words.count == 1 { return .cancel }
    // A sentence is a message, whatever it begins with; a word or two after “off” may be a mistake.
    guard !first.contains(where: \.isWhitespace) else { return .raise(words) }
    if words.count > 1 {
      return verbs.contains(first) && words.count <= 3 ? .unclear : .raise(words)
    }
    if nearVerbs(first) != nil || otherWords.contains(first) { return .unclear }
    let isNearOn = isNear(first, "on")
    return .raise(isNearOn ? [] : words)
  }

  /// Says what to type instead of a word that isn't clear.
  static func advice(for word: String) -> String {
    let verb = nearVerbs(word.lowercased()) ?? ""
    let other =
      switch verb {
      case "test", "drill": " lifesignal drill rehearses one."
      case "status", "list": " lifesignal status says whether one is on."
      case "help": " For help with the command, lifesignal alert --help."
      default: ""
      }
    return
      "To raise an alert, type lifesignal alert on; to cancel it, lifesignal alert off.\(other)"
  }

  /// Returns the words of an unknown option, which are part of the text: `--mesage=I fell` and
  /// `-m` belong to it as little as the dashes.
  static func words(of option: String) -> [String] {
    if let equals = option.firstIndex(of: "=") {
      return [String(option[option.index(after: equals)...])]
    }
    let name = option.drop { $0 == "-" }
    guard option.hasPrefix("--") || name.count > 1 else { return [] }
    return isNear(String(name), "message", edits: 2) ? [] : [String(name)]
  }

  private static let verbs: Set<String> = [
    "off", "stop", "cancel", "end", "status", "list", "test", "drill", "help",
  ]
  /// Words that say that nothing is wrong, or that ask something.
  private static let otherWords: Set<String> = [
    "ok", "okay", "safe", "fine", "over", "done", "clear", "show", "info", "false", "quit", "exit",
    "?",
  ]

  private static func nearVerbs(_ word: String) -> String? {
    verbs.sorted().first { isNear(word, $0) }
  }

  /// Whether a few edits make one word of another. What is much longer isn't compared.
  private static func isNear(_ word: String, _ other: String, edits: Int = 1) -> Bool {
    word.utf8.count <= 4 * other.utf8.count
      && Suggestion.distance(Array(word), Array(other)) <= edits
  }
}

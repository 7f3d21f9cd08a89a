/// A mistake in a command line: a sentence, and what to do about it.
struct UsageError: Error, Equatable {
  var sentence: String
  var advice: String

  static func unknownCommand(_ name: String, among names: [String]) -> Self {
    Self(
      sentence: "There is no command \(quoted(name)).",
      advice: didYouMean(name, names) ?? "Try lifesignal --help.")
  }

  /// A word that somebody may type who needs help, but that may mean something else.
  static func callForHelp(_ name: String) -> Self {
    Self(
      sentence: "There is no command \(quoted(name)).",
      advice: "To call for help now, type lifesignal alert on.")
  }

  static func unknownOption(
    _ token: String, of command: CommandDeclaration, elsewhere: CommandDeclaration?
  ) -> Self {
    let spelling = String(token.prefix { $0 != "=" })
    let sentence = "\(command.invocation) has no option \(quoted(spelling))."
    let names = command.allOptions.map(\.spelling)
    if let suggestion = didYouMean(spelling, names) {
      return Self(sentence: sentence, advice: suggestion)
    }
    if let elsewhere {
      return Self(
        sentence: sentence,
        advice: "It belongs to \(elsewhere.invocation); write it after the command.")
    }
    return Self(sentence: sentence, advice: seeHelp(command.invocation))
  }

  static func missingValue(_ option: OptionDeclaration, of command: CommandDeclaration) -> Self {
    Self(sentence: "\(option.spelling) needs a value.", advice: "Write \(option.usage).")
  }

  static func superfluousValue(_ option: OptionDeclaration) -> Self {
    Self(sentence: "\(option.spelling) takes no value.", advice: "Write \(option.spelling) alone.")
  }

  static func repeated(_ option: OptionDeclaration) -> Self {
    Self(sentence: "\(option.spelling) was given twice.", advice: "Give it once.")
  }

  static func missingOption(_ option: OptionDeclaration, of invocation: String) -> Self {
    Self(
      sentence: "\(option.spelling) is missing.", advice: "Write \(invocation) \(option.usage).")
  }

  static func missingArgument(_ argument: ArgumentDeclaration, usage: String) -> Self {
    Self(
      sentence: "\(argument.placeholder) is missing.",
      advice: "Write \(usage)\(usage.hasSuffix("…") ? "" : ".")")
  }

  static func superfluousArgument(_ text: String, of command: CommandDeclaration) -> Self {
    Self(
      sentence: "\(quoted(text)) is one word too many.",
      advice: "Write \(command.usage); put quotation marks around a text with spaces.")
  }

  /// - Parameter option: Whose value it is; `nil` for an argument, which the reason is enough for.
  static func invalid(_ option: String?, _ value: InvalidValue, of invocation: String) -> Self {
    Self(
      sentence: (option.map { "\($0): " } ?? "") + value.reason,
      advice: value.advice ?? seeHelp(invocation))
  }

  static func conflict(_ option: OptionDeclaration, with other: OptionDeclaration) -> Self {
    Self(
      sentence: "\(option.spelling) does not go with \(other.spelling).",
      advice: "Leave one of them out.")
  }

  static func needless(_ option: OptionDeclaration, with word: String) -> Self {
    Self(sentence: "\(option.spelling) does not go with \(word).", advice: "Leave it out.")
  }

  static func needless(_ option: OptionDeclaration, without words: String) -> Self {
    Self(sentence: "\(option.spelling) goes with \(words) only.", advice: "Leave it out.")
  }

  private static func didYouMean(_ word: String, _ names: [String]) -> String? {
    Suggestion.nearest(to: word, among: names).map { "Did you mean \($0)?" }
  }

  private static func seeHelp(_ invocation: String) -> String { "Try \(invocation) --help." }
}

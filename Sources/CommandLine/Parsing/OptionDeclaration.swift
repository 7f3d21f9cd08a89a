/// An option's syntax and help: `--interval DURATION`.
struct OptionDeclaration: Equatable, Sendable {
  /// The name without the dashes.
  var name: String
  /// The letter after a single dash, or `nil`.
  var letter: Character?
  /// The name of the value in help texts, or `nil` for a flag.
  var placeholder: String?
  /// One or two sentences without a period at the end.
  var help: String
  var isRequired = false
  /// Whether it can be given more than once.
  var isRepeatable = false
  /// The possible values, for completions; empty for any text.
  var choices: [String] = []
  /// Whether its value is the name of a contact, for completions.
  var namesContact = false

  var takesValue: Bool { placeholder != nil }

  /// `--interval`.
  var spelling: String { "--\(name)" }

  /// `--interval DURATION`.
  var usage: String { placeholder.map { "\(spelling) \($0)" } ?? spelling }

  static let help = OptionDeclaration(name: "help", letter: "h", help: "Show this help")
  static let version = OptionDeclaration(name: "version", help: "Show the version")
}

/// An argument's syntax and help.
struct ArgumentDeclaration: Equatable, Sendable {
  /// Its name in help texts: `NAME`, `on|off`.
  var placeholder: String
  var help: String
  var isRequired = true
  /// The possible values, each with its meaning; empty for any text.
  var choices: [Choice] = []
  /// Whether it is the name of a contact, for completions.
  var namesContact = false
  /// Whether it is the last argument and takes every word that is left, even one that looks like an
  /// option: a text that somebody types in a hurry.
  var takesRest = false
  /// Whether it is the last argument and can be given several times.
  var isRepeatable = false

  struct Choice: Equatable, Sendable {
    var name: String
    var help: String
  }

  /// `NAME`, or `[NAME]` if it is optional.
  var usage: String {
    (isRequired ? placeholder : "[\(placeholder)]") + (takesRest || isRepeatable ? "…" : "")
  }
}

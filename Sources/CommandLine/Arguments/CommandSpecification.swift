/// What can be written on the command line: the one declaration from which arguments are read and
/// from which help texts and the manual page are made.
struct CommandSpecification: Sendable {
  /// How the command is called; empty for the program itself.
  var name: String
  /// One line without a full stop.
  var summary: String
  /// Further sentences for its own help; may be empty.
  var discussion = ""
  var arguments: [ArgumentSpecification] = []
  var options: [OptionSpecification] = []
  /// Left out of the list of commands.
  var isHidden = false
}

/// A word that stands by its place.
struct ArgumentSpecification: Sendable {
  /// As shown in help: `on|off`.
  var name: String
  var help: String
  /// The only words allowed, or `nil` for any.
  var choices: [String]?
  var isOptional = false
}

/// An option such as `--interval 24h`.
struct OptionSpecification: Sendable {
  /// Without the dashes.
  var name: String
  /// What its value is called in help; `nil` for an option without a value.
  var value: String?
  var help: String
  /// The only values allowed, or `nil` for any.
  var choices: [String]?
  var isRequired = false
  /// Whether it may be given several times.
  var isRepeatable = false

  static func flag(_ name: String, _ help: String) -> Self { Self(name: name, help: help) }

  /// As help shows it: `--interval DURATION`.
  var usage: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

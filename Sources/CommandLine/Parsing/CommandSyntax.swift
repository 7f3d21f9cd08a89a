import Domain

/// Reads a value from a word; throws an ``InvalidValue`` or a `ValidationError`.
typealias WordReader<Value> = @Sendable (String) throws -> Value

/// The options and arguments of a command. Declaring one here adds it to the help texts, the manual
/// page and the completions, and returns a value that reads it from a command line.
struct CommandSyntax {
  private(set) var arguments: [ArgumentDeclaration] = []
  private(set) var options: [OptionDeclaration] = []
  /// Options that no help text mentions.
  private(set) var hiddenOptions: [OptionDeclaration] = []
  /// The verbs, in the order of the help text.
  private(set) var verbs: [VerbDeclaration] = []
  /// What the command does without a verb; `nil` if it needs one.
  var withoutVerb: CommandDeclaration.Maker?
  /// What stands for the verb in the help text; `nil` for the names of all.
  var verbPlaceholder: String?

  /// Declares an option without a value. Repeating it has no effect.
  mutating func flag(
    _ name: String, letter: Character? = nil, _ help: String, isHidden: Bool = false
  ) -> Flag {
    let flag = Flag(name, letter: letter, help)
    if isHidden { hiddenOptions.append(flag.declaration) } else { options.append(flag.declaration) }
    return flag
  }

  /// Declares an option with any text.
  mutating func option(
    _ name: String, _ placeholder: String, _ help: String, namesContact: Bool = false
  ) -> Option<String> {
    option(name, placeholder, help, namesContact: namesContact) { $0 }
  }

  /// Declares an option with a value.
  mutating func option<Value>(
    _ name: String, _ placeholder: String, _ help: String, isRequired: Bool = false,
    isRepeatable: Bool = false, choices: [String] = [], namesContact: Bool = false,
    read: @escaping WordReader<Value>
  ) -> Option<Value> {
    let declaration = OptionDeclaration(
      name: name, placeholder: placeholder, help: help, isRequired: isRequired,
      isRepeatable: isRepeatable, choices: choices, namesContact: namesContact)
    options.append(declaration)
    return Option(declaration: declaration, read: read)
  }

  /// Declares an option with one of a few words.
  mutating func option<Value: NamedValue>(
    _ name: String, _ placeholder: String, _ help: String, of type: Value.Type
  ) -> Option<Value> {
    option(
      name, placeholder, help, choices: Value.allCases.map(\.rawValue), read: Value.init(word:))
  }

  /// Declares an argument with any text, such as `Grace` in `ping Grace`.
  mutating func argument(
    _ placeholder: String, _ help: String, isRequired: Bool = true, namesContact: Bool = false
  ) -> Argument<String> {
    argument(placeholder, help, isRequired: isRequired, namesContact: namesContact) { $0 }
  }

  /// Declares an argument: a word after the command that isn't an option.
  mutating func argument<Value>(
    _ placeholder: String, _ help: String, isRequired: Bool = true,
    choices: [ArgumentDeclaration.Choice] = [], namesContact: Bool = false,
    read: @escaping WordReader<Value>
  ) -> Argument<Value> {
    let declaration = ArgumentDeclaration(
      placeholder: placeholder, help: help, isRequired: isRequired, choices: choices,
      namesContact: namesContact)
    arguments.append(declaration)
    return Argument(declaration: declaration, index: arguments.count - 1, read: read)
  }

  /// Declares a text that takes every word that is left.
  mutating func rest(_ placeholder: String, _ help: String) -> Argument<String> {
    let text = argument(placeholder, help, isRequired: false) { $0 }
    arguments[arguments.count - 1].takesRest = true
    return text
  }

  /// Declares the last argument, which can be given several times.
  mutating func words(_ placeholder: String, _ help: String) -> Argument<String> {
    let words = argument(placeholder, help, isRequired: false) { $0 }
    arguments[arguments.count - 1].isRepeatable = true
    return words
  }

  /// Declares an argument with one of a few words, each with its meaning, such as `on` in `alert
  /// on`.
  mutating func choice<Value: NamedValue>(
    _ choices: KeyValuePairs<Value, String>, placeholder: String? = nil,
    _ help: String = "What to do", isRequired: Bool = true
  ) -> Argument<Value> {
    assert(choices.count == Value.allCases.count, "Each word needs its meaning.")
    return argument(
      placeholder ?? choices.map(\.key.rawValue).joined(separator: "|"), help,
      isRequired: isRequired, choices: choices.map { .init(name: $0.key.rawValue, help: $0.value) },
      read: Value.init(word:))
  }
}

extension CommandSyntax {
  /// Declares a verb, and those of its options that the command hasn't declared. Their help says
  /// which verb they go with.
  mutating func declare(
    _ verb: VerbDeclaration, isDefault: Bool, options new: [OptionDeclaration]
  ) {
    verbs.append(verb)
    if isDefault { withoutVerb = verb.make }
    for var option in new where !options.contains(where: { $0.name == option.name }) {
      option.help = option.help.noting("with \(verb.name)")
      options.append(option)
    }
  }

  /// The argument that chooses a verb, which precedes all others; `nil` if there are no verbs.
  var verbArgument: Argument<VerbDeclaration>? {
    guard !verbs.isEmpty else { return nil }
    let names = verbs.map(\.name)
    return Argument(
      declaration: ArgumentDeclaration(
        placeholder: verbPlaceholder ?? names.joined(separator: "|"), help: "What to do",
        isRequired: withoutVerb == nil, choices: verbs.map { .init(name: $0.name, help: $0.help) }),
      index: 0
    ) { [verbs] word in
      guard let verb = verbs.first(where: { $0.name == word }) else {
        throw InvalidValue(word, isNoneOf: names)
      }
      return verb
    }
  }

  /// Creates the command of the verb that was typed, from the words after it.
  var chosenVerb: CommandDeclaration.Maker {
    let (verb, withoutVerb) = (verbArgument!, withoutVerb)
    return { arguments in
      if let withoutVerb, arguments.arguments.isEmpty { return try withoutVerb(arguments) }
      let make = try arguments.required(verb).make
      var rest = arguments
      rest.arguments.removeFirst()
      return try make(rest)
    }
  }
}

/// A verb of a command, such as `rename` in `lifesignal documents rename`.
struct VerbDeclaration: Sendable {
  let name: String
  /// One line without a period.
  let help: String
  let make: CommandDeclaration.Maker
}

/// A flag of a command.
struct Flag: Sendable {
  let declaration: OptionDeclaration

  init(_ name: String, letter: Character? = nil, _ help: String) {
    declaration = OptionDeclaration(name: name, letter: letter, help: help)
  }
}

/// An option of a command that has a value.
struct Option<Value: Sendable>: Sendable {
  let declaration: OptionDeclaration
  let read: WordReader<Value>
}

extension Option<String> {
  /// An option with any text.
  init(_ name: String, _ placeholder: String, _ help: String) {
    self.init(declaration: OptionDeclaration(name: name, placeholder: placeholder, help: help)) {
      $0
    }
  }
}

/// An argument of a command.
struct Argument<Value: Sendable>: Sendable {
  let declaration: ArgumentDeclaration
  /// The position among the arguments.
  let index: Int
  let read: WordReader<Value>

  /// Returns the same argument, read in another way.
  func reading<Other>(_ read: @escaping WordReader<Other>) -> Argument<Other> {
    Argument<Other>(declaration: declaration, index: index, read: read)
  }
}

/// A value that is written as one of a few words.
protocol NamedValue: CaseIterable, RawRepresentable, Sendable where RawValue == String {}

extension NamedValue {
  /// Reads the word, or suggests the nearest one if it isn't valid.
  init(word: String) throws {
    if let value = Self(rawValue: word) {
      self = value
      return
    }
    throw InvalidValue(word, isNoneOf: Self.allCases.map(\.rawValue))
  }
}

extension InvalidValue {
  /// Suggests the nearest of the words that are valid.
  fileprivate init(_ word: String, isNoneOf words: [String]) {
    let suggestion = Suggestion.nearest(to: word, among: words).map { "Did you mean “\($0)”? " }
    self.init(
      "\(quoted(word)) isn't possible here.",
      advice: "\(suggestion ?? "")Write \(words.joinedAsChoice).")
  }
}

extension String {
  /// The help of an option with a note at its end, in parentheses.
  fileprivate func noting(_ note: String) -> String {
    hasSuffix(")") ? "\(dropLast()); \(note))" : "\(self) (\(note))"
  }
}

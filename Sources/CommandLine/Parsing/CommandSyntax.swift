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

  /// Declares an option without a value. Repeating it has no effect.
  mutating func flag(
    _ name: String, letter: Character? = nil, _ help: String, isHidden: Bool = false
  ) -> Flag {
    let flag = Flag(declaration: OptionDeclaration(name: name, letter: letter, help: help))
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

/// A flag of a command.
struct Flag: Sendable {
  let declaration: OptionDeclaration
}

/// An option of a command that has a value.
struct Option<Value: Sendable>: Sendable {
  let declaration: OptionDeclaration
  let read: WordReader<Value>
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
    let names = Self.allCases.map(\.rawValue)
    let suggestion = Suggestion.nearest(to: word, among: names).map { "Did you mean “\($0)”? " }
    throw InvalidValue(
      "\(quoted(word)) isn't possible here.",
      advice: "\(suggestion ?? "")Write \(names.joinedAsChoice).")
  }
}

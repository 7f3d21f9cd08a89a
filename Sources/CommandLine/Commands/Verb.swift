/// A command that does one of several things, such as `lifesignal documents`, whose verbs are `list`,
/// `add`, `rename` and others.
///
/// A verb is declared in one place, with what it reads and what it runs:
///
///     syntax.verb("rename", "Rename a document", what, newName, run: Self.rename)
///
/// The parser, the help text, the manual page and the completions are made from that. An option that
/// only this verb takes is declared here, too: `Flag("token", "Ask for the access token")`.
protocol VerbCommand: Subcommand {
  /// The verb that was typed.
  var verb: Verb<Self> { get }
  init(verb: Verb<Self>)
}

/// What a verb of a command does, with its values read.
struct Verb<Command>: Sendable {
  let run: @Sendable (Command, Invocation) async throws -> Report
}

extension VerbCommand {
  func run(_ invocation: Invocation) async throws -> Report { try await verb.run(self, invocation) }
}

/// A value that a verb takes from the command line.
protocol Parameter: Sendable {
  associatedtype Input: Sendable
  /// The options that it reads.
  var options: [OptionDeclaration] { get }
  func input(in arguments: ParsedArguments) throws -> Input
}

extension Argument: Parameter {
  var options: [OptionDeclaration] { [] }
  /// The argument, which the verb can't do without.
  func input(in arguments: ParsedArguments) throws -> Value { try arguments.required(self) }

  /// The same argument for a verb that can do without it.
  var optional: Reading<Value?> { Reading { try $0.value(of: self) } }
}

extension Option: Parameter {
  var options: [OptionDeclaration] { [declaration] }
  func input(in arguments: ParsedArguments) throws -> Value? { try arguments.value(of: self) }
}

extension Flag: Parameter {
  var options: [OptionDeclaration] { [declaration] }
  func input(in arguments: ParsedArguments) -> Bool { arguments.isSet(self) }
}

/// A value that is made of several words of the command line.
struct Reading<Value: Sendable>: Parameter {
  let options: [OptionDeclaration]
  let read: @Sendable (ParsedArguments) throws -> Value

  /// - Parameter flags: The flags that it reads and that only this verb takes.
  init(_ flags: Flag..., read: @escaping @Sendable (ParsedArguments) throws -> Value) {
    options = flags.map(\.declaration)
    self.read = read
  }

  func input(in arguments: ParsedArguments) throws -> Value { try read(arguments) }
}

extension CommandSyntax {
  /// Declares a verb.
  /// - Parameters:
  ///   - isDefault: Whether the command does this without a verb, too.
  ///   - needless: Options of the command that don't go with this verb.
  ///   - run: A method of the command that takes the values of the parameters.
  mutating func verb<Command: VerbCommand, each Word: Parameter>(
    _ name: String, _ help: String, isDefault: Bool = false, refusing needless: [Flag] = [],
    _ parameters: repeat each Word,
    run:
      @escaping @Sendable (Command) -> @Sendable (repeat (each Word).Input) async throws -> Report
  ) {
    add(name, help, isDefault, needless, repeat each parameters) { arguments in
      let inputs = (repeat try (each parameters).input(in: arguments))
      return Command(verb: Verb { command, _ in try await run(command)(repeat each inputs) })
    }
  }

  /// Declares a verb with a method that uses the invocation.
  mutating func verb<Command: VerbCommand, each Word: Parameter>(
    _ name: String, _ help: String, isDefault: Bool = false, refusing needless: [Flag] = [],
    _ parameters: repeat each Word,
    run:
      @escaping @Sendable (Command) ->
      @Sendable (Invocation, repeat (each Word).Input)
      async throws -> Report
  ) {
    add(name, help, isDefault, needless, repeat each parameters) { arguments in
      let inputs = (repeat try (each parameters).input(in: arguments))
      return Command(verb: Verb { try await run($0)($1, repeat each inputs) })
    }
  }

  /// Declares what the command does without a verb, if none of them is the default.
  mutating func withoutVerb<Command: VerbCommand, each Word: Parameter>(
    _ parameters: repeat each Word,
    run:
      @escaping @Sendable (Command) ->
      @Sendable (Invocation, repeat (each Word).Input)
      async throws -> Report
  ) {
    withoutVerb = { arguments in
      let inputs = (repeat try (each parameters).input(in: arguments))
      return Command(verb: Verb { try await run($0)($1, repeat each inputs) })
    }
  }

  private mutating func add<each Word: Parameter>(
    _ name: String, _ help: String, _ isDefault: Bool, _ needless: [Flag],
    _ parameters: repeat each Word, make: @escaping CommandDeclaration.Maker
  ) {
    var options: [OptionDeclaration] = []
    for parameter in repeat each parameters { options += parameter.options }
    declare(
      VerbDeclaration(name: name, help: isDefault ? "\(help) (default)" : help) { arguments in
        if let flag = needless.first(where: arguments.isSet) {
          throw UsageError.needless(flag.declaration, with: name)
        }
        return try make(arguments)
      }, isDefault: isDefault, options: options)
  }
}

import Domain

/// The words after a command, split into options and arguments but not yet read.
struct ParsedArguments: Equatable, Sendable {
  /// The command's invocation, for messages.
  var invocation: String
  /// The command's full syntax, for messages.
  var usage: String
  var values: [String: [String]] = [:]
  var flags: Set<String> = []
  var arguments: [String] = []

  /// Returns whether a flag was given.
  func isSet(_ flag: Flag) -> Bool { flags.contains(flag.declaration.name) }

  /// Returns an option's value, or `nil` if it was not given.
  func value<Value>(of option: Option<Value>) throws -> Value? { try all(option).last }

  /// Returns a required option's value.
  func required<Value>(_ option: Option<Value>) throws -> Value {
    if let value = try value(of: option) { return value }
    throw UsageError.missingOption(option.declaration, of: invocation)
  }

  /// Returns the values of a repeatable option, in the order given.
  func all<Value>(_ option: Option<Value>) throws -> [Value] {
    try (values[option.declaration.name] ?? []).map {
      try read($0, by: option.read, of: option.declaration.spelling)
    }
  }

  /// Returns an argument, or `nil` if it was not given.
  func value<Value>(of argument: Argument<Value>) throws -> Value? {
    guard argument.index < arguments.count else { return nil }
    return try read(
      arguments[argument.index], by: argument.read)
  }

  /// Returns the words of a text from an argument on.
  func rest<Value>(from argument: Argument<Value>) -> [String] {
    Array(arguments.dropFirst(argument.index))
  }

  /// Returns a required argument.
  func required<Value>(_ argument: Argument<Value>) throws -> Value {
    if let value = try value(of: argument) { return value }
    throw missingArgumentError(argument)
  }

  /// Returns the error for a missing argument.
  func missingArgumentError<Value>(_ argument: Argument<Value>) -> UsageError {
    .missingArgument(argument.declaration, usage: usage)
  }

  /// Returns the error for an option's invalid value.
  func invalidValueError<Value>(
    _ option: Option<Value>, _ reason: String, advice: String? = nil
  ) -> UsageError {
    .invalid(option.declaration.spelling, InvalidValue(reason, advice: advice), of: invocation)
  }

  private func read<Value>(
    _ text: String, by read: WordReader<Value>, of option: String? = nil
  ) throws -> Value {
    do { return try read(text) } catch let error as ValidationError {
      throw UsageError.invalid(option, InvalidValue(error), of: invocation)
    } catch let error as InvalidValue {
      throw UsageError.invalid(option, error, of: invocation)
    }
  }
}

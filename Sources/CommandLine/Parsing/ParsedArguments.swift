/// What was written after a command, taken apart but not yet read.
struct ParsedArguments: Equatable, Sendable {
  /// The command's invocation, for messages.
  var invocation: String
  /// How the command is written in full, for messages.
  var usage: String
  var values: [String: [String]] = [:]
  var flags: Set<String> = []
  var arguments: [String] = []

  /// Whether a flag was given.
  func isSet(_ flag: Flag) -> Bool { flags.contains(flag.declaration.name) }

  /// An option's value, or `nil` where it was not given.
  func value<Value>(of option: Option<Value>) throws(UsageError) -> Value? {
    guard let text = values[option.declaration.name]?.last else { return nil }
    return try read(text, of: option)
  }

  /// An option's value.
  func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = try value(of: option) else {
      throw .missingOption(option.declaration, of: invocation)
    }
    return value
  }

  /// The values of a repeatable option, in the order in which they were given.
  func all<Value>(_ option: Option<Value>) throws(UsageError) -> [Value] {
    var result: [Value] = []
    for text in values[option.declaration.name] ?? [] { result.append(try read(text, of: option)) }
    return result
  }

  /// The argument at a place, or `nil` where it was not given.
  func argument<Value>(
    _ argument: Argument<Value>, at index: Int = 0
  ) throws(UsageError) -> Value? {
    guard index < arguments.count else { return nil }
    do { return try argument.read(arguments[index]) } catch {
      throw .invalid(argument.declaration.placeholder, error, of: invocation)
    }
  }

  /// The argument at a place.
  func required<Value>(_ argument: Argument<Value>, at index: Int = 0) throws(UsageError) -> Value {
    guard let value = try self.argument(argument, at: index) else {
      throw .missingArgument(argument.declaration, usage: usage)
    }
    return value
  }

  private func read<Value>(_ text: String, of option: Option<Value>) throws(UsageError) -> Value {
    do { return try option.read(text) } catch {
      throw .invalid(option.declaration.spelling, error, of: invocation)
    }
  }
}

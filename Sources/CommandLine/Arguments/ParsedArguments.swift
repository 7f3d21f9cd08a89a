/// The words of a command line, sorted by a ``CommandSpecification``.
struct ParsedArguments: Equatable, Sendable {
  /// The command; empty for the program itself.
  var command: String
  var arguments: [String] = []
  /// The values of each option in the order given; a flag has an empty value.
  var options: [String: [String]] = [:]

  func has(_ option: String) -> Bool { options[option] != nil }
  func value(_ option: String) -> String? { options[option]?.last }
  func values(_ option: String) -> [String] { options[option] ?? [] }
}

/// Why a command line cannot be understood.
struct UsageError: Error, Equatable, Sendable {
  /// A sentence.
  var message: String
  /// The command whose help would explain it; empty for the program's.
  var command = ""
}

extension ParsedArguments {
  /// Sorts the words after the program's name.
  ///
  /// `--option value` and `--option=value` mean the same, `--` ends the options, and `-h` is
  /// `--help`. Options of the program itself may stand only where no command follows.
  init(_ words: [String]) throws(UsageError) {
    var words = words[...]
    var specification = Specifications.program
    if let first = words.first, !first.hasPrefix("-") {
      guard let command = Specifications.command(named: first) else {
        let names = Specifications.commands.map(\.name)
        throw UsageError(
          message: "There is no command “\(first.clipped)”.\(suggestion(for: first, from: names))")
      }
      specification = command
      words.removeFirst()
    }
    command = specification.name
    let known = specification.options + Specifications.everywhere
    func fail(_ message: String) -> UsageError {
      UsageError(message: message, command: specification.name)
    }

    var optionsAreOver = false
    while let word = words.popFirst() {
      guard word.hasPrefix("-"), word != "-", !optionsAreOver else {
        arguments.append(word)
        continue
      }
      if word == "--" {
        optionsAreOver = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let written = String(parts[0])
      let name = written == "-h" ? "help" : String(written.dropFirst(2))
      guard written == "-h" || written.hasPrefix("--"),
        let option = known.first(where: { $0.name == name })
      else {
        let hint = suggestion(for: written, from: known.map { "--\($0.name)" })
        throw fail("There is no option “\(written.clipped)”.\(hint)")
      }
      var value = ""
      if option.value != nil {
        if parts.count == 2 {
          value = String(parts[1])
        } else if let next = words.popFirst() {
          value = next
        } else {
          throw fail("--\(name) needs a value: \(option.usage).")
        }
        if let choices = option.choices, !choices.contains(value) {
          throw fail(
            "--\(name) cannot be “\(value.clipped)”: choose \(choices.joined(separator: ", ")).")
        }
      } else if parts.count == 2 {
        throw fail("--\(name) takes no value.")
      }
      if options[name] != nil, !option.isRepeatable, option.value != nil {
        throw fail("--\(name) is given twice.")
      }
      options[name, default: []].append(value)
    }
    // Whoever asks for help need not have the rest right.
    if has("help") || has("version") { return }

    for (index, expected) in specification.arguments.enumerated() {
      guard index < arguments.count else {
        if expected.isOptional { break }
        throw fail("\(expected.name) is missing: \(expected.help).")
      }
      if let choices = expected.choices, !choices.contains(arguments[index]) {
        throw fail(
          "“\(arguments[index].clipped)” must be \(choices.joined(separator: " or ")).")
      }
    }
    if arguments.count > specification.arguments.count {
      let extra = arguments[specification.arguments.count]
      throw fail("“\(extra.clipped)” does not belong here.")
    }
    for option in specification.options where option.isRequired && !has(option.name) {
      throw fail("--\(option.name) is missing: \(option.help).")
    }
  }
}

/// ` Do you mean “…”?`, or nothing when no candidate is near.
private func suggestion(for word: String, from candidates: [String]) -> String {
  guard word.count <= 40 else { return "" }
  let nearest = candidates.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
  guard let (candidate, distance) = nearest, distance <= 2 else { return "" }
  return " Do you mean “\(candidate)”?"
}

/// Insertions, deletions and replacements between two words (Levenshtein).
private func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right)
  var row = Array(0...right.count)
  for (index, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let replaced = diagonal + (right[column] == character ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[right.count]
}

extension String {
  /// At most 40 characters, for quoting what somebody wrote.
  var clipped: String { count > 40 ? prefix(40) + "…" : self }
}

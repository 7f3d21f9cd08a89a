/// The command line of a program that has no declared commands, split into options and words:
/// `--name value`, `--name=value`, `--flag`, `word`.
package struct ProgramArguments: Equatable, Sendable {
  /// A mistake in the arguments, as a sentence without its full stop.
  package struct Misuse: Error, Equatable {
    package var reason: String
    package init(reason: String) { self.reason = reason }
  }

  /// The values of the options, by name without the dashes.
  package private(set) var options: [String: String] = [:]
  /// The names of the flags that were given.
  package private(set) var flags: Set<String> = []
  /// Everything else, in order.
  package private(set) var positional: [String] = []

  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - needs: The options by name, each with what it needs, such as `a folder`.
  ///   - flags: The names of the options without a value.
  ///   - command: The command that takes them; `nil` if the program has none.
  package init(
    _ arguments: some Sequence<String>, options needs: [String: String], flags: Set<String>,
    of command: String? = nil
  ) throws(Misuse) {
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        positional.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if parts.count == 1, flags.contains(name) {
        self.flags.insert(name)
      } else if let need = needs[name] {
        let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
        guard let value, !value.isEmpty else { throw Misuse(reason: "--\(name) needs \(need)") }
        guard options.updateValue(value, forKey: name) == nil else {
          throw Misuse(reason: "--\(name) was given twice")
        }
      } else {
        throw Self.unknown(word, of: command)
      }
    }
  }

  /// Returns the error for a word that isn't an option.
  package static func unknown(_ word: String, of command: String? = nil) -> Misuse {
    let owner = command.map { " of \($0)" } ?? ""
    return Misuse(reason: "“\(word.prefix(40).onOneLine)” isn't an option\(owner)")
  }
}

extension StringProtocol {
  /// The text on one line, without what a terminal could take for a command.
  package var onOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

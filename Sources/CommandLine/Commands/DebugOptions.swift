/// The command-line options for debugging the app.
struct DebugOptions: Equatable, Sendable {
  /// Whether the debug overlay is open from the start.
  var showsOverlay = false
  /// The file to record actions in; `nil` for none.
  var recording: String?

  struct Words: Sendable {
    let debug: Flag
    let record: Option<String>

    func read(_ arguments: ParsedArguments) throws -> DebugOptions {
      DebugOptions(
        showsOverlay: arguments.isSet(debug), recording: try arguments.value(of: record))
    }
  }

  static func declare(in syntax: inout CommandSyntax) -> Words {
    Words(
      debug: syntax.flag("debug", "Start with the debug overlay open (F12 opens it at any time)"),
      record: syntax.option(
        "record", "FILE",
        "Record everything that happens in a new file, for lifesignal replay; passwords and"
          + " passphrases are left out"
      ) { text in
        guard !text.isEmpty else { throw InvalidValue("A file needs a name.") }
        return text
      })
  }
}

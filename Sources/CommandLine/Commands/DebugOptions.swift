/// What a command line wants to see of the inside of the app.
struct DebugOptions: Equatable, Sendable {
  /// Whether the debug overlay is open from the start.
  var showsOverlay = false
  /// Where the actions are written down; `nil` for nowhere.
  var recording: String?

  static let debug = Flag(
    "debug", help: "Open the debug overlay at the start; F12 does it at any time")
  static let record = Option(
    OptionDeclaration(
      name: "record", placeholder: "FILE",
      help: "Write down all that happens in a new file, for lifesignal replay; what is typed into"
        + " secure fields is left out"),
    read: { (text: String) throws(InvalidValue) in
      guard !text.isEmpty else { throw InvalidValue("A file needs a name.") }
      return text
    })

  static let declarations = [debug.declaration, record.declaration]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    showsOverlay = arguments.isSet(Self.debug)
    recording = try arguments.value(of: Self.record)
  }
}

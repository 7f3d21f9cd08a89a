import Features
import Terminal

/// `lifesignal demo`: the app with made-up people, and pictures of it for documents.
struct DemoCommand: ScreenCommand {
  var appearance: AppearanceOptions
  var debugging: DebugOptions
  /// How many times as fast as outside the time goes.
  var speed: Int

  static let speed = Option(
    OptionDeclaration(
      name: "speed", placeholder: "N",
      help: "Let the time go N times as fast, 1 to 10000 (default: 1); + and - change it"),
    read: { (text: String) throws(InvalidValue) in
      guard let speed = Int(text), PaceFeature.speeds.contains(speed) else {
        throw InvalidValue(
          "\(quoted(text)) is not a speed.", advice: "Write a number from 1 to 10000.")
      }
      return speed
    })
  static let frame = Option(
    OptionDeclaration(
      name: "frame", placeholder: "SCREEN",
      help:
        "Print a picture of a screen instead: \(DemoScreen.allCases.map(\.rawValue).joinedAsChoice)",
      choices: DemoScreen.allCases.map(\.rawValue)),
    read: byName(DemoScreen.self))
  static let size = Option(
    OptionDeclaration(
      name: "size", placeholder: "COLUMNSxROWS", help: "How large the picture is (default: 80x24)"),
    read: { (text: String) throws(InvalidValue) in try readSize(text) })
  static let format = Option(
    OptionDeclaration(
      name: "format", placeholder: "FORMAT",
      help: "How the picture is written: text, ansi or svg (default: text)",
      choices: PictureCommand.Format.allCases.map(\.rawValue)),
    read: byName(PictureCommand.Format.self))

  static let declaration = CommandDeclaration(
    name: "demo", summary: "Try the app with made-up people; nothing is stored or sent",
    discussion: [
      "A year of check-ins, and people around you, one for each way of standing. With + and - the"
        + " time goes faster and slower, 0 stops it: at 600 a deadline passes while you watch, with"
        + " its reminder, its grace time, and the word to the responders. Nothing has to be set up."
    ],
    options: [speed.declaration, frame.declaration, size.declaration, format.declaration]
      + AppearanceOptions.declarations + DebugOptions.declarations,
    takesAccount: false,
    make: { (arguments: ParsedArguments) throws(UsageError) in try make(arguments) })

  private static func make(_ arguments: ParsedArguments) throws(UsageError) -> any Subcommand {
    let appearance = try AppearanceOptions(arguments)
    let debugging = try DebugOptions(arguments)
    let speed = try arguments.value(of: speed)
    let screen = try arguments.value(of: frame)
    let size = try arguments.value(of: size)
    let format = try arguments.value(of: format)
    guard let screen else {
      if size != nil || format != nil {
        throw .missingOption(frame.declaration, of: arguments.invocation)
      }
      return DemoCommand(appearance: appearance, debugging: debugging, speed: speed ?? 1)
    }
    if speed != nil { throw .conflict(Self.speed.declaration, with: frame.declaration) }
    return PictureCommand(
      appearance: appearance, screen: screen, size: size ?? Size(columns: 80, rows: 24),
      format: format ?? .text)
  }

  /// `120x40`: at most 500 columns and 200 rows.
  private static func readSize(_ text: String) throws(InvalidValue) -> Size {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      (1...500).contains(columns), (1...200).contains(rows)
    else {
      throw InvalidValue(
        "\(quoted(text)) is not a size.", advice: "Write it like 120x40, at most 500x200.")
    }
    return Size(columns: columns, rows: rows)
  }

  func show(_ invocation: Invocation) throws(CommandFailure) -> Report {
    let world = DemoWorld(start: invocation.now(), speed: speed)
    let warnings = try AppRunner(
      appearance: appearance, debugging: debugging,
      provide: CompositionRoot(invocation).withLocalFiles(world.provide), demo: world
    ).run(invocation.recordingAccess)
    return Report(warnings: warnings)
  }
}

import Dispatch
import Features
import Terminal
import Synchronization

/// `lifesignal demo`: the app with sample people, and pictures of it for documentation.
struct DemoCommand: ScreenCommand {
  var appearance: AppearanceOptions
  var debugging: DebugOptions
  /// How many times faster than real time the clock runs.
  var speed: Int

  static let declaration = CommandDeclaration(
    "demo", "Try the app with sample people; stores and sends nothing",
    discussion: [
      "Shows a year of check-ins and one person for each status. Press + and - to change the"
        + " speed of the clock, and 0 to stop it. At 600, a deadline passes while you watch: the"
        + " reminder, the grace time and the messages to responders. Needs no setup."
    ],
    takesAccount: false
  ) { syntax in
    let speed = syntax.option(
      "speed", "N",
      "Run the clock N times as fast, 1 to 10000 (default: 1)", read: readSpeed
    )
    let frame = syntax.option(
      "frame", "SCREEN",
      "Print a picture of a screen instead: \(DemoScreen.allCases.map(\.rawValue).joinedAsChoice)",
      of: DemoScreen.self)
    let size = syntax.option(
      "size", "COLUMNSxROWS", "The size of the picture (default: 80x24)", read: readSize)
    let format = syntax.option(
      "format", "FORMAT", "The format of the picture: text, ansi or svg (default: text)",
      of: PictureCommand.Format.self)
    let appearance = AppearanceOptions.declare(in: &syntax)
    let debugging = DebugOptions.declare(in: &syntax)
    return { arguments in
      let (appearance, debugging) = (try appearance(arguments), try debugging.read(arguments))
      let times = try arguments.value(of: speed)
      let screen = try arguments.value(of: frame)
      let cells = try arguments.value(of: size)
      let form = try arguments.value(of: format)
      guard let screen else {
        if cells != nil || form != nil {
          throw UsageError.missingOption(frame.declaration, of: arguments.invocation)
        }
        return DemoCommand(appearance: appearance, debugging: debugging, speed: times ?? 1)
      }
      if times != nil { throw UsageError.conflict(speed.declaration, with: frame.declaration) }
      return PictureCommand(
        appearance: appearance, screen: screen, size: cells ?? Size(columns: 80, rows: 24),
        format: form ?? .text)
    }
  }

  @Sendable private static func readSpeed(_ text: String) throws -> Int {
    guard let speed = Int(text), PaceFeature.speeds.contains(speed) else {
      throw InvalidValue(
        "\(quoted(text)) isn't a speed.", advice: "Write a number from 1 to 10000.")
    }
    return speed
  }

  /// Reads a size such as `120x40`, at most 500 columns and 200 rows.
  @Sendable private static func readSize(_ text: String) throws -> Size {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      (1...500).contains(columns), (1...200).contains(rows)
    else {
      throw InvalidValue(
        "\(quoted(text)) isn't a size.", advice: "Write it like 120x40, at most 500x200.")
    }
    return Size(columns: columns, rows: rows)
  }

  func show(_ invocation: Invocation) throws -> Report {
    let (now, speed) = (invocation.now(), speed)
    let world = waiting { await DemoWorld(start: now, speed: speed) }
    let warnings = try AppRunner(
      appearance: appearance, debugging: debugging,
      provide: CompositionRoot(invocation).withLocalFiles(world.provide), demo: world
    ).run(invocation.recordingAccess)
    return Report(warnings: warnings)
  }
}

/// Blocks this thread until `body` returns. Safe because no screen is up yet and `body` doesn't
/// need this thread.
private func waiting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
  let value = Mutex<Value?>(nil)
  let isThere = DispatchSemaphore(value: 0)
  Task.detached {
    let made = await body()
    value.withLock { $0 = made }
    isThere.signal()
  }
  isThere.wait()
  return value.withLock { $0! }
}

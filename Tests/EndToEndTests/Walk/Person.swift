import Foundation
import Terminal
import TerminalTesting
import Testing

/// A person at their own terminal, with methods that read like a script. Methods that look for
/// something wait until it appears.
final class Person {
  let name: String
  private let arguments: [String]
  private let home: Home
  private unowned let world: World
  private var pty: PTY?

  /// - Parameter home: The home on their machine.
  init(_ name: String, _ arguments: [String], home: Home, in world: World) {
    self.name = name
    self.arguments = arguments
    self.home = home
    self.world = world
  }

  var screen: String { pty?.screen.text ?? "(closed)" }

  var hasTheApp: Bool { pty != nil }

  /// Runs a command with lines of input.
  func runs(
    _ arguments: String..., lines: String..., at place: SourceLocation = #_sourceLocation
  ) throws {
    let result = try home.run(
      program: BuiltProgram.path("clocked-lifesignal"), arguments,
      input: lines.map { $0 + "\n" }.joined(), environment: world.variables)
    guard result.code == 0 else {
      throw WalkFailure("\(arguments): \(result)", in: world, at: place)
    }
  }

  /// Runs a command that must fail.
  /// - Returns: Its error output.
  func runsFailing(_ arguments: String..., at place: SourceLocation = #_sourceLocation) throws
    -> String
  {
    let result = try home.run(
      program: BuiltProgram.path("clocked-lifesignal"), arguments, environment: world.variables)
    guard result.code == 1, result.output.isEmpty else {
      throw WalkFailure("\(arguments): \(result)", in: world, at: place)
    }
    return result.errors
  }

  /// Whether any file on their machine contains a text.
  func keeps(_ text: String) throws -> Bool {
    try home.files().keys.contains { file in
      FileManager.default.contents(atPath: home.path + "/" + file)?
        .firstRange(of: Data(text.utf8)) != nil
    }
  }

  /// Opens the app and waits until it is ready, since keys typed before that are lost, as in any
  /// terminal.
  func opensTheApp(at place: SourceLocation = #_sourceLocation) throws {
    pty = try home.open(
      program: "clocked-lifesignal", arguments, environment: world.variables.mapValues { $0 })
    let beginnings = ["Check in now", "Who are you?", "Sign in"]
    try world.wait(for: "\(name) waits for the app", at: place) {
      beginnings.contains(where: isShown)
    }
  }

  /// Loses the app to `kill -9`.
  func losesTheApp() throws {
    pty?.signal(SIGKILL)
    #expect(try pty?.waitForExit() == .killed(SIGKILL))
    pty = nil
  }

  func types(_ text: String) { pty?.send(text) }

  func presses(_ keys: KeyPress...) {
    for key in keys { pty?.send(key.terminalBytes) }
  }

  func sees(_ texts: String..., at place: SourceLocation = #_sourceLocation) throws {
    try world.wait(for: "\(name) looks for \(texts)", at: place) { texts.allSatisfy(isShown) }
  }

  func seesNoMore(_ text: String, at place: SourceLocation = #_sourceLocation) throws {
    try world.wait(for: "\(name) waits for “\(text)” to go", at: place) { !isShown(text) }
  }

  /// Answers a question on the screen with a key.
  func isAsked(
    _ question: String, andPresses key: KeyPress, at place: SourceLocation = #_sourceLocation
  ) throws {
    try sees(question, at: place)
    presses(key)
    try seesNoMore(question, at: place)
  }

  /// Moves down a list to a row and opens it.
  func chooses(_ row: String, at place: SourceLocation = #_sourceLocation) throws {
    try sees(row, at: place)
    // Lists have at most 12 rows.
    for _ in 0..<12 where !marked.contains(where: { $0.hasPrefix(row) }) {
      let before = marked
      presses("down")
      // The frame before may have been half read, with more marks than there are.
      try world.wait(for: "\(name) moves down to “\(row)”", at: place) {
        marked.contains { $0.hasPrefix(row) } || marked.count == before.count && marked != before
      }
    }
    presses("enter")
  }

  /// Closes the sheet that shows a text.
  func closes(_ text: String, at place: SourceLocation = #_sourceLocation) throws {
    try isAsked(text, andPresses: "esc", at: place)
  }

  /// Goes to a tab by its number.
  func goes(to tab: Tab, at place: SourceLocation = #_sourceLocation) throws {
    types(String(tab.rawValue))
    try sees("▏\(tab.rawValue)", at: place)
  }

  enum Tab: Int { case checkIn = 1, responders, dependents, alerts, profile }

  /// The first text on the screen that matches a pattern.
  func reads(_ form: Regex<Substring>) throws -> String {
    String(try #require(screen.firstMatch(of: form)).output)
  }

  /// Reads the app's new output.
  func looks() { pty?.read(milliseconds: 5) }

  /// The first words of the selected rows on the screen.
  private var marked: [Substring] { screen.matches(of: /▌ *(\S+(?: \S+)*)/).map(\.output.1) }

  private func isShown(_ text: String) -> Bool { pty?.screen.contains(text) ?? false }
}

import Foundation
import Terminal
import TerminalTesting
import Testing

/// Somebody in front of a terminal of their own, told in the words of a script. The one who looks for
/// something waits until it is there.
final class Person {
  let name: String
  private let arguments: [String]
  private unowned let world: World
  private var pty: PTY?

  init(_ name: String, _ arguments: [String], in world: World) {
    self.name = name
    self.arguments = arguments
    self.world = world
  }

  var screen: String { pty?.screen.text ?? "(closed)" }

  var hasTheApp: Bool { pty != nil }

  /// Opens the app and waits until it is there: what is typed before is lost, as in any terminal.
  func opensTheApp(at place: SourceLocation = #_sourceLocation) throws {
    pty = try world.home.open(
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

  /// Answers a question of the screen with a key.
  func isAsked(
    _ question: String, andPresses key: KeyPress, at place: SourceLocation = #_sourceLocation
  ) throws {
    try sees(question, at: place)
    presses(key)
    try seesNoMore(question, at: place)
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

  /// The first text of a form that is on the screen.
  func reads(_ form: Regex<Substring>) throws -> String {
    String(try #require(screen.firstMatch(of: form)).output)
  }

  /// Takes in what the app has written in the meantime.
  func looks() { pty?.read(milliseconds: 5) }

  private func isShown(_ text: String) -> Bool { pty?.screen.contains(text) ?? false }
}

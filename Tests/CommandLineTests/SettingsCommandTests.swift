import Composable
import ComposableTesting
import Features
import Foundation
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal settings`: the look of the app on this terminal.
@MainActor struct SettingsCommandTests {
  let world = World()
  let files = SharedFiles.inMemory()
  static let path = "/home/ada/.local/state/lifesignal/terminal.json"

  /// Runs the program like a process of its own, which reads the file again.
  private func expect(
    _ words: String, _ outcome: World.Outcome, on files: SharedFiles? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await withDependencies {
      $0.sharedFiles = files ?? self.files
      $0.sharedStorage = SharedStorage()
    } operation: {
      await world.expect(words, outcome, sourceLocation: sourceLocation)
    }
  }

  @Test("Settings are shown, changed and kept, without an account")
  func changes() async throws {
    await expect("settings", .init(0, "Theme: auto\nReduced motion: off\n"))
    #expect(try files.read(Self.path) == nil)
    await expect("settings theme dark", .init(0, "Theme: dark\n"))
    await expect("settings reduced-motion on", .init(0, "Reduced motion: on\n"))
    await expect("settings theme", .init(0, "Theme: dark\n"))
    await expect("settings", .init(0, "Theme: dark\nReduced motion: on\n"))
    let json = #"{"theme":"dark","reduced_motion":true}"# + "\n"
    await expect("settings --json", .init(0, json))
    await expect(
      "settings reduced-motion off --json",
      .init(0, json.replacing("true", with: "false")))
    #expect(world[\.storesOpened] == 0)
  }

  @Test("A setting or value that doesn't exist is refused, with those that do")
  func refusals() async {
    for (words, error) in [
      (
        "settings theme drak",
        "“drak” isn't possible here. Did you mean “dark”? Write auto, dark, light, high-contrast,"
          + " mono or ascii."
      ),
      (
        "settings theme on",
        "“on” isn't possible here. Write auto, dark, light, high-contrast, mono or ascii."
      ),
      ("settings reduced-motion dark", "“dark” isn't possible here. Write on or off."),
      ("settings colour", "“colour” isn't possible here. Write theme or reduced-motion."),
    ] { await expect(words, .init(2, error: "lifesignal: \(error)\n")) }
    await expect("settings", .init(0, "Theme: auto\nReduced motion: off\n"))
  }

  @Test("What the app keeps there stays: the orders of lists, recent commands")
  func otherChoices() async throws {
    let kept = #"{"hasAdopted":true,"recentCommands":["Ping"],"lists":{"dependents":"name"}}"#
    try files.replace(Self.path, Array(kept.utf8))
    await expect("settings theme mono", .init(0, "Theme: mono\n"))
    let bytes = try #require(try files.read(Self.path))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(object["recentCommands"] as? [String] == ["Ping"])
    #expect(object["lists"] as? [String: String] == ["dependents": "name"])
    #expect(object["hasAdopted"] as? Bool == true)
  }

  @Test("An app that is running takes the change over")
  func runningApp() async throws {
    let session = AppSession { values in
      values.terminalSettingsFile = Self.path
      values.sharedFiles = files
      values.sharedStorage = SharedStorage()
      values.continuousClock = TestClock()
    }
    let shown = AsyncStream.makeStream(of: Appearance.self)
    let observations = session.observe(
      app: { shown.continuation.yield(session.appearance) }, overlay: {})
    defer { for observation in observations { observation.cancel() } }
    await expect("settings theme light", .init(0, "Theme: light\n"))
    for await appearance in shown.stream where appearance.theme == .light { break }
    #expect(session.appearance == Appearance(theme: .light))
  }

  @Test("Settings that can't be read are set aside; one that can't be kept is an error")
  func failures() async throws {
    let unreadable =
      "lifesignal: The settings of this terminal can't be read. They are in"
      + " terminal.json.unreadable.\n"
    try files.replace(Self.path, Array("garbage{".utf8))
    await expect("settings theme dark", .init(0, "Theme: dark\n", error: unreadable))
    await expect("settings", .init(0, "Theme: dark\nReduced motion: off\n"))
    var full = files
    full.replace = { throw SharedFileError(path: $1.isEmpty ? "" : $0, reason: "No space left") }
    await expect(
      "settings theme light",
      .init(1, error: "lifesignal: The settings of this terminal can't be kept: No space left.\n"),
      on: full)
    full.read = { throw SharedFileError(path: $0, reason: "Permission denied") }
    await expect(
      "settings theme light",
      .init(
        1, error: "lifesignal: The settings of this terminal can't be read: Permission denied.\n"),
      on: full)
    await expect("settings", .init(0, "Theme: dark\nReduced motion: off\n"))
  }

  @Test("On disk, the file is for its owner only, in a folder that is made for it")
  func disk() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/state/lifesignal/terminal.json"
    try MachineAccess.live.makeFoldersAbove(file)
    world[\.variables]["XDG_STATE_HOME"] = folder.path + "/state"
    await expect("settings theme dark", .init(0, "Theme: dark\n"), on: .live)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}

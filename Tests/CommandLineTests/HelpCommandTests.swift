import Domain
import Testing

@testable import CommandLine

/// `lifesignal help` and `--version`.
struct HelpCommandTests {
  let world = World()

  @Test func help_isWhatTheOptionSays() async {
    #expect(await world.run("help") == world.run("--help"))
    #expect(await world.run("help status") == world.run("status -h"))
  }

  @Test func help_suggestsACommand() async {
    await world.expect(
      "help statsu",
      .init(
        2,
        error: "lifesignal: There is no command “statsu”. Did you mean status?\n"))
  }

  @Test(arguments: ["--version", "status --version", "keychain --version"])
  func version_isEverywhere(words: String) async {
    await world.expect(words, .init(0, "lifesignal \(Version.current)\n"))
  }
}

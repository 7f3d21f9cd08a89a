import Testing

@testable import CommandLine

/// `lifesignal monitor`.
struct MonitorCommandTests {
  let world = World()

  @Test(arguments: [("monitor", []), ("monitor --once", ["--once"])])
  func monitor_becomesTheOtherProgram(words: String, arguments: [String]) async {
    let outcome = await world.run(words)
    #expect(world[\.monitorArguments] == [arguments])
    #expect(
      outcome
        == .init(
          1,
          error: "lifesignal: lifesignal-monitor can't be started: No such file or directory."
            + " Install it in the folder of lifesignal.\n"))
    #expect(world[\.storesOpened] == 0)
  }

  @Test func brokenConfiguration_keepsNoMonitorFromStarting() async {
    world[\.files]["/home/ada/.config/lifesignal/config.json5"] = .success(Array("{ smtp: {".utf8))
    _ = await world.run("monitor")
    #expect(world[\.monitorArguments] == [[]])
  }
}

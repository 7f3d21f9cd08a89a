import Testing

@testable import CommandLine

/// `lifesignal standby`: WCH-2.
struct StandbyCommandTests {
  let world = World()

  @Test("WCH-2: standby sets and shows the heartbeat and ntfy topic; --ntfy none removes the topic")
  func sets() async {
    await world.openAccount()
    await world.expect(
      "standby",
      .init(
        0,
        """
        Nobody watches while this computer is off.
        Try lifesignal standby --heartbeat URL, or --ntfy TOPIC.

        """))
    await world.expect(
      "standby --ntfy ada", .init(0, "ntfy topic: https://ntfy.sh/ada\n"))
    let both = """
      Heartbeat: https://hc-ping.com/x
      ntfy topic: https://ntfy.sh/ada

      """
    await world.expect("standby --heartbeat https://hc-ping.com/x", .init(0, both))
    await world.expect("standby", .init(0, both))
    await world.expect(
      "standby --ntfy none", .init(0, "Heartbeat: https://hc-ping.com/x\n"))
  }

  @Test("WCH-2: standby --heartbeat refuses a text that isn't a web address")
  func refuses() async {
    await world.openAccount()
    let outcome = await world.run("standby --heartbeat example.org")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("This isn't a web address."))
  }
}

import Foundation
import Terminal
import TerminalTesting
import Testing

/// A debug build that runs where it was built watches only while it is open.
@Suite(.serialized) struct BuildFolderTests {
  private func open(_ world: World) throws -> PTY {
    let result = try world.home.run(
      program: BuiltProgram.path("clocked-lifesignal"),
      ["init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>"],
      environment: world.variables)
    #expect(result.code == 0, "\(result)")
    let app = try world.home.open(
      program: BuiltProgram.pathInBuild("clocked-lifesignal"), [],
      environment: world.variables.mapValues { $0 })
    try app.wait(for: "◐ until you quit")
    try world.mail.brings("named you as a contact", to: "grace@navy.example")
    return app
  }

  private func waitForMonitorsToEnd(_ world: World) throws {
    try world.time.passes(seconds: 120)
    try world.wait(for: "the monitors to end", at: #_sourceLocation) {
      world.home.monitors.isEmpty
    }
  }

  @Test("The app says that nobody watches after it is closed, and its monitor ends with it")
  func quit() throws {
    let world = try World()
    defer { world.killMonitors() }
    let app = try open(world)
    app.press("q")
    try app.wait(for: "nobody watches here now")
    _ = try app.waitForExit()
    try waitForMonitorsToEnd(world)
  }

  @Test("ALT-7: an alert is sent even if the app is killed, before the monitor ends")
  func killed() throws {
    let world = try World()
    defer { world.killMonitors() }
    let app = try open(world)
    app.send("!!!!!")
    try app.wait(for: "It is sent even if this window closes.")
    app.signal(SIGKILL)
    _ = try app.waitForExit()
    try world.mail.brings("Subject: ALERT: Ada Lovelace", to: "grace@navy.example")
    try waitForMonitorsToEnd(world)
  }
}

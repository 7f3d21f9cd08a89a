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

  @Test("A debug build says on quitting that nobody watches now, and its monitor ends with it")
  func quit() throws {
    let world = try World()
    defer { world.killMonitors() }
    let app = try open(world)
    app.press("q")
    try app.wait(for: "nobody watches here now")
    _ = try app.waitForExit()
    try waitForMonitorsToEnd(world)
  }

  @Test("ALT-7: the monitor of a debug build sends the alert of a killed app before it ends")
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

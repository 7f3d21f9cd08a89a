import Foundation
import TerminalTesting
import Testing

/// A check-in while the server can't be reached, with the real programs (OFF-1, OFF-5).
@Suite struct OfflineTests {
  @Test(
    "OFF-1, OFF-5: a check-in made offline is received after the terminal is closed, as of its time"
  )
  func closedTerminal() throws {
    let world = try World(hasServer: true)
    let server = try #require(world.server)
    let home = try Home()
    let program = BuiltProgram.path("clocked-lifesignal")
    let join = try home.run(
      program: program,
      ["join", server.invite(), "--name", "Ada Lovelace", "--email", "ada@example.org"],
      input: "three random words\n", environment: world.variables)
    #expect(join.code == 0, "\(join)")
    func run(_ arguments: String...) throws -> Home.Result {
      try home.run(program: program, arguments, environment: world.variables)
    }
    #expect(try run("status").code == 0)
    try world.time.passes(hours: 2)
    #expect(try run("status", "--json").output.contains(#""queued":{"check_ins":0,"#))
    server.isKilled()

    let pty = try home.open(
      program: program, ["check-in"], environment: world.variables.mapValues { $0 })
    try pty.wait(for: "NOT received yet")
    #expect(try pty.waitForExit() == .exited(75))
    let status = try run("status", "--json")
    #expect(status.code == 1 && status.output.contains(#""queued":{"check_ins":1,"#))
    #expect(!status.output.contains(#""offline_since":null"#))
    let refused = try run("leave")
    #expect(refused.code == 1 && refused.errors.contains("NOT received yet"))
    let outbox = home.path + "/.local/share/lifesignal/outbox"
    func isWaiting() -> Bool {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: outbox)) ?? []
      return names.contains { $0.hasPrefix("check-in-") }
    }
    #expect(isWaiting())

    // Nobody uses the program any more; the server comes back later.
    try world.time.passes(minutes: 30)
    try server.start()
    try world.wait(for: "the background sync", at: #_sourceLocation) { !isWaiting() }
    let last = try #require(try run("status").output.split(separator: "\n").first)
    // Two hours after the account was made: 21 and a half hours are left of 24.
    #expect(last.contains("ok, 23h 30m left"), "\(last)")
    #expect(try run("sync").output == "Nothing waits.\n")
  }
}

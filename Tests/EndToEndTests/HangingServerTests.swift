import Foundation
import TerminalTesting
import Testing

/// An alert to a server whose process hangs, with the real program's timeouts.
@Suite struct HangingServerTests {
  @Test(
    "ALT-3: with a hanging server, alert on says within 20 seconds what is known and who to call"
  )
  func alert() throws {
    let world = try World(hasServer: true)
    let server = try #require(world.server)
    let home = try Home()
    let join = try home.run(
      program: BuiltProgram.path("lifesignal"),
      ["join", server.invite(), "--name", "Ada Lovelace", "--email", "ada@example.org"],
      input: "three random words\n")
    #expect(join.code == 0, "\(join)")
    let contact = try home.run(
      "contacts", "add", "Grace Hopper", "--email", "grace@navy.example", "--phone",
      "+44 20 7183 8750")
    #expect(contact.code == 0, "\(contact)")
    // Data that a command has read is cached for when the server is away.
    #expect(try home.run("contacts").code == 0)
    server.hangs()
    let start = ContinuousClock.now
    let pty = try home.open("alert", "on", "--message", "fell")
    try pty.wait(for: "Sending your alert to 127.0.0.1")
    let first = ContinuousClock.now - start
    #expect(try pty.waitForExit() == .exited(75))
    let whole = ContinuousClock.now - start
    #expect(first < .seconds(3) && whole < .seconds(20), "\(first), \(whole)")
    let text = pty.screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("The alert is saved and may or may not be sent yet:"), "\(text)")
    #expect(text.contains("Call Grace Hopper +44 20 7183 8750, or"), "\(text)")
    #expect(!text.contains("NOT sent"))
    // Nothing is known of the account here, but of the alert.
    #expect(try home.run("status").errors.contains("Perhaps NOT SENT yet: your alert of "))
  }
}

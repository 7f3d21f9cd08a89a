import DeliveryTesting
import Foundation
import TerminalTesting
import Testing

/// A check-in while the server can't be reached, with the real programs (OFF-1, OFF-5).
@Suite struct OfflineTests {
  /// What answers in the server's place.
  enum Line: CaseIterable {
    case nothing, loginPage, otherJSON, cutAnswer, hangingServer

    func stand(in server: WalkServer) throws -> HTTPServer? {
      if self == .hangingServer {
        server.hangs()
        return nil
      }
      server.isKilled()
      let answer: HTTPServer.Answer
      switch self {
      case .nothing, .hangingServer: return nil
      case .loginPage:
        answer = .reply(
          200, headers: ["Content-Type": "text/html"], body: "<form>Room number</form>")
      case .otherJSON:
        answer = .reply(200, headers: ["Content-Type": "application/json"], body: #"{"ok":true}"#)
      case .cutAnswer: answer = .cutReply(200)
      }
      return try HTTPServer(port: server.port) { _, _ in answer }
    }
  }

  @Test(
    "OFF-1, OFF-5: a check-in made offline is received after the terminal is closed, as of its time",
    arguments: Line.allCases)
  func closedTerminal(line: Line) throws {
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
    let other = try line.stand(in: server)

    let pty = try home.open(
      program: program, ["check-in"], environment: world.variables.mapValues { $0 })
    try pty.wait(for: "NOT received yet")
    #expect(try pty.waitForExit() == .exited(75))
    let status = try run("status")
    #expect(status.code == 1)
    #expect((status.output + status.errors).contains("NOT received yet: your check-in of"))
    // JSON of another program looks like an answer that can't be read.
    if line != .otherJSON {
      let json = try run("status", "--json").output
      #expect(json.contains(#""queued":{"check_ins":1,"#), "\(json)")
      #expect(!json.contains(#""offline_since":null"#))
    }
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
    other?.close()
    server.isKilled()
    try server.start()
    try world.wait(for: "the background sync", at: #_sourceLocation) { !isWaiting() }
    let last = try #require(try run("status").output.split(separator: "\n").first)
    // Half an hour after the check-in; on a busy machine some minutes more.
    #expect(last.contains(#/ok, 23h (2\d|30)m left/#), "\(last)")
    #expect(try run("sync").output == "Nothing waits.\n")
  }

  @Test(
    "OFF-1, OFF-5: an alert raised offline is sent, with its mail, after the terminal is closed")
  func alertOfClosedTerminal() throws {
    let world = try World(hasServer: true)
    let server = try #require(world.server)
    let home = try Home()
    let program = BuiltProgram.path("clocked-lifesignal")
    func run(_ arguments: String..., input: String = "") throws -> Home.Result {
      try home.run(program: program, arguments, input: input, environment: world.variables)
    }
    let join = try run(
      "join", server.invite(), "--name", "Ada Lovelace", "--email", "ada@example.org",
      input: "three random words\n")
    #expect(join.code == 0, "\(join)")
    let contact = try run(
      "contacts", "add", "Grace Hopper", "--email", "grace@navy.example", "--phone",
      "+44 20 7183 8750")
    #expect(contact.code == 0, "\(contact)")
    try world.mail.brings("Ada Lovelace named you as a contact", to: "grace@navy.example")
    #expect(try run("contacts").code == 0 && run("status").code == 0)
    server.isKilled()

    let app = try home.open(
      program: program, [], environment: world.variables.mapValues { $0 })
    try app.wait(for: "Check in now")
    app.send("!!!!!")
    try app.wait(for: "Sends in")
    app.send("\r")
    try app.wait(for: "NOT SENT – call")
    try app.wait(for: "+44 20 7183 8750")
    #expect(app.screen.text.contains("Saved on this device"))
    app.signal(SIGKILL)
    #expect(try app.waitForExit() == .killed(SIGKILL))
    let status = try run("status")
    // Perhaps, if the program was killed during an attempt.
    #expect(status.code == 1 && status.output.contains("NOT SENT yet: your alert of "))

    // The command started a background sync.
    try world.time.passes(minutes: 10)
    try server.start()
    try world.mail.brings("Subject: ALERT: Ada Lovelace needs help", to: "grace@navy.example")
    try world.wait(for: "the background sync", at: #_sourceLocation) {
      (try? run("status", "--json").output.contains(#""alert":null,"refused""#)) == true
    }
    #expect(try run("status").code == 30)
  }
}

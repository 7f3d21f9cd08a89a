import Foundation
import TerminalTesting
import Testing

/// Moving an account from a machine to a server, with the programs of both.
@Suite struct BringAccountTests {
  @Test(
    "WCH-1: after a move, only the server's monitor notifies when the deadline passes")
  func watched() throws {
    let world = try World(hasServer: true)
    let server = try #require(world.server)
    let home = try Home()
    try home.write(configuration: world.mail.configuration)
    let program = BuiltProgram.path("clocked-lifesignal")
    let made = try home.run(
      program: program,
      [
        "init", "--name", "Ada Lovelace", "--email", "ada@example.org", "--responder",
        "Grace Hopper <grace@navy.example>",
      ], environment: world.variables)
    #expect(made.code == 0, "\(made)")
    let monitor = home.makeProcess(
      program, ["lifesignal-monitor"], environment: world.variables)
    let logFile = home.path + "/monitor.log"
    _ = FileManager.default.createFile(atPath: logFile, contents: nil)
    monitor.standardError = FileHandle(forWritingAtPath: logFile)
    try monitor.run()
    var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }
    try world.mail.brings("named you as a contact", to: "grace@navy.example")

    let join = home.makeProcess(
      program, ["join", try server.invite(), "--bring-account", "--email", "ada@example.org"],
      environment: world.variables)
    let password = Pipe()
    join.standardInput = password
    join.standardOutput = FileHandle.nullDevice
    try password.fileHandleForWriting.write(contentsOf: Data("three random words\n".utf8))
    try password.fileHandleForWriting.close()
    try join.run()
    try world.wait(for: "the account moves", at: #_sourceLocation) { !join.isRunning }
    #expect(join.terminationStatus == 0)
    // The command waits until the server's monitor watches; only then does the machine's monitor
    // stop.
    try world.wait(for: "the machine's monitor to stop: \(log)", at: #_sourceLocation) {
      log.contains("its deadline is watched elsewhere")
    }

    try world.time.passes(hours: 23, minutes: 31)
    try world.mail.brings("Subject: Check in by ", to: "ada@example.org")
    try world.time.passes(minutes: 30)
    try world.mail.brings("Your deadline was", to: "ada@example.org")
    try world.time.passes(minutes: 15)
    try world.mail.brings("Try to reach Ada Lovelace now", to: "grace@navy.example")
    #expect(server.wholeLog.components(separatedBy: "missed deadline").count == 2)
    #expect(!log.contains("missed deadline"))
    #expect(monitor.isRunning, "it looks on, and sends nothing")
  }
}

import Clients
import Composable
import Domain
import Monitor
import Testing

@testable import CommandLine

/// ALT-9: every command, with and without a silent alert.
struct SilenceTests {
  /// The output of all commands in a world where the gate was passed with a passphrase.
  private func said(_ passphrase: String, after acts: [String]) async throws -> [String] {
    let world = World()
    await world.openAccount()
    try await world.values.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    world[\.secret] = .success(passphrase)
    var said: [String] = []
    func run(_ words: String) async {
      let outcome = await world.run(words)
      said.append("\(words): \(outcome.exitCode)\n\(outcome.output)\(outcome.errorOutput)")
    }
    try await world.watch()
    for act in acts { await run(act) }
    try await world.letMonitorWork()
    try await world.advanceWatched(by: .minutes(61))
    try await world.letMonitorWork()
    for command in [
      "status", "status --json", "contacts", "contacts --json", "channels", "documents list",
      "standby", "doctor", "doctor --json", "export -", "pause", "drill", "status", "check-in",
      "pause 2h", "resume", "alert off", "keychain", "restore --list", "import --help", "doctor",
      "export -",
    ] { await run(command) }
    world[\.lines] = ["status", "contacts", "drill", "channels", "check in", "quit"]
      .map(LineEvent.line)
    world[\.secrets] = [passphrase]
    await run("--plain")
    said.append(world[\.programsRun].joined(separator: "\n"))
    said += world[\.recordings].values.sorted()
    return said.map(\.withNumberedIDs)
  }

  @Test(
    "ALT-9: every command prints the same with and without a silent alert",
    arguments: [["check-in"], ["resume"], ["alert off"], ["drill", "check-in"]])
  func commands(_ acts: [String]) async throws {
    let open = try await said("blue kettle", after: acts)
    let forced = try await said("green kettle", after: acts)
    for (one, other) in zip(open, forced) { #expect(one == other) }
    #expect(open.count == forced.count)
  }
}

extension String {
  /// The text with each UUID replaced by the number of its first appearance.
  fileprivate var withNumberedIDs: String {
    var numbers: [Substring: Int] = [:]
    return replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) {
      let number = numbers[$0.output.0, default: numbers.count]
      numbers[$0.output.0] = number
      return "id\(number)"
    }
  }
}

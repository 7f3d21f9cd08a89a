import Clients
import Composable
import ComposableFoundation
import Domain
import Testing

@testable import CommandLine

/// The error log of commands: each failure with the source line that made the request.
struct ErrorPlaceTests {
  private let world = World()

  /// The operation and source file of each failure that some commands log.
  private func failures(of words: String...) async throws -> [[String]] {
    for words in words { _ = await world.run(words) }
    let entries = await world.values.errorLogger.entries(.debug, 99)
    for entry in entries { #expect(entry.context.line > 0, "\(entry)") }
    return entries.reversed().map { [$0.context.function, $0.context.file] }
  }

  @Test func whatACommandJudgesItself() async throws {
    await world.openAccount()
    world[\.overrides] = { $0.logClientCalls() }
    #expect(
      try await failures(of: "drill --end", "alert on", "drill")
        == [
          ["AlertClient.endDrill", "CommandLine/DrillCommand.swift"],
          ["AlertClient.drill", "CommandLine/DrillCommand.swift"],
        ])
  }

  @Test("CHK-3: a check-in refused by the gate is logged at the command's file, not the gate's")
  func behindTheGate() async throws {
    await world.openAccount()
    try await world.values.authClient.updateGate(Gate(passphrase: Secret("blue kettle")))
    world[\.overrides] = { $0.logClientCalls() }
    world[\.secrets] = ["wrong"]
    #expect(
      try await failures(of: "check-in")
        == [
          ["CheckInClient.checkIn", "CommandLine/CheckInCommand.swift"],
          ["CheckInClient.checkIn", "CommandLine/CheckInCommand.swift"],
        ])
  }

  @Test("ALT-7: an alert that can't be saved logs both the failed raise and the failed spool file")
  func unsent() async throws {
    await world.openAccount()
    world[\.overrides] = {
      $0.uuid = .incrementing
      $0.alertClient.arm = { (_, _, _) async throws(ClientError) in
        throw .storage(.corrupt(detail: ""))
      }
      $0.alertClient.spool = { (_, _, _) async throws(ClientError) in
        throw .storage(.corrupt(detail: ""))
      }
      $0.logClientCalls()
    }
    let all = try await failures(of: "alert on")
    let file = "CommandLine/AlertCommand.swift"
    #expect(Set(all) == [["AlertClient.arm", file], ["AlertClient.spool", file]])
  }
}

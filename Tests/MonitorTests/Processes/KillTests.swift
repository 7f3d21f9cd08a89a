import DeliveryTesting
import Clients
import Domain
import Foundation
import Testing

/// The built program, killed at a chosen point (ESC-3).
@Suite(.timeLimit(.minutes(2))) struct KillTests {
  private static let points: [(name: String, step: SMTPServer.Step?, answer: SMTPServer.Answer)] = [
    ("claimed", .connected, .silence),
    ("greeted", .hello, .silence),
    ("addressed", .recipient("<bob@example.org>"), .silence),
    ("before the message", .data, .silence),
    ("message sent, not accepted", nil, .silence),
    ("message accepted, not said", nil, .acceptAndSilence),
  ]

  /// A server that stalls Bob's message at a point of its first conversation and works normally
  /// afterwards.
  private func server(_ point: Int, from connection: Int = 1) throws -> SMTPServer {
    let (_, step, answer) = Self.points[point]
    return try SMTPServer { current, number in
      guard number == connection else { return nil }
      if let step { return current == step ? answer : nil }
      if case .message = current { return answer } else { return nil }
    }
  }

  private func waitForPoint(_ point: Int, at server: SMTPServer) async {
    guard let step = Self.points[point].step else {
      return await server.waitForStep { if case .message = $0 { true } else { false } }
    }
    await server.waitForStep { $0 == step }
  }

  private func messageIDs(_ server: SMTPServer, to recipient: String) -> [String] {
    server.accepted.filter { $0.recipients == ["<\(recipient)>"] }.map { message in
      message.text.split(separator: "\n").first { $0.hasPrefix("Message-ID: ") }.map(String.init)!
    }
  }

  @Test(
    "If a monitor is killed while it notifies a responder, the next monitor notifies them",
    arguments: 0..<6)
  func telling(point: Int) async throws {
    let home = try Home()
    try await home.openOverdueAccount(responders: ["Bob"])
    let server = try server(point)
    try home.configure(server)
    let process = try home.start()
    await waitForPoint(point, at: server)
    let wasAccepted = Self.points[point].name == "message accepted, not said"
    if wasAccepted { await server.waitForMessages(1) }
    await process.kill()
    try home.endLeases()
    #expect(try await home.run("--once").code == 0)
    let messages = messageIDs(server, to: "bob@example.org")
    #expect(messages.count == (wasAccepted ? 2 : 1))
    #expect(Set(messages).count == 1)
    let clients = try home.clients()
    #expect(try await clients.alertClient.history(9).count == 1)
    #expect(try await clients.alertClient.history(1)[0].deliveries.map(\.state) == [.sent])
  }

  @Test("If a monitor is killed before it records a message, its claim keeps others from resending")
  func leaseHolds() async throws {
    let home = try Home()
    try await home.openOverdueAccount(responders: ["Bob"])
    let server = try server(5)
    try home.configure(server)
    let process = try home.start()
    await server.waitForMessages(1)
    await process.kill()
    #expect(try await home.run("--once").code == 0)
    #expect(server.accepted.count == 1)
  }

  @Test("CHK-6: if a monitor is killed while notifying, a check-in sends one all-clear")
  func backAfterKill() async throws {
    let home = try Home()
    try await home.openOverdueAccount(responders: ["Bob"])
    let server = try server(5)
    try home.configure(server)
    let process = try home.start()
    await server.waitForMessages(1)
    await process.kill()
    _ = try await home.clients().checkInClient.checkIn(.manual)
    try home.endLeases()
    #expect(try await home.run("--once").code == 0)
    #expect(try await home.run("--once").code == 0)
    #expect(server.accepted.count == 2)
    let told = messageIDs(server, to: "bob@example.org")[0].dropFirst("Message-ID: ".count)
    #expect(server.accepted[1].text.contains("\nIn-Reply-To: \(told)\n"))
    #expect(server.accepted[1].text.contains("\nSubject: All clear: Ada has checked in\n"))
  }

  @Test("Two monitor programs at once notify everyone, and nobody twice")
  func twoPrograms() async throws {
    let home = try Home()
    let names = ["Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim"]
    try await home.openOverdueAccount(responders: names)
    let server = try SMTPServer()
    try home.configure(server)
    let first = try home.start("--once")
    let second = try home.start("--once")
    let codes = [await first.exitCode(), await second.exitCode()]
    #expect(codes == [0, 0])
    #expect(server.accepted.count == 10)
    #expect(Set(server.accepted.flatMap(\.recipients)).count == 10)
  }
}

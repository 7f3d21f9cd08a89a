import Clients
import Composable
import ComposableFoundation
import Domain
import SQLite
import FoundationEssentials
import Monitor
import TestSupport
import Testing

@testable import CommandLine
@testable import Features

/// Files changed with malicious intent: even if one is accepted, nothing that the programs do with
/// it crashes them. A trap ends the test's process and reports its line.
@MainActor @Suite("Hostile files", .timeLimit(.minutes(5)))
struct HostileFilesTests {
  /// An export of an account with data of every kind.
  private func export() async throws -> JSONValue {
    let world = World()
    await world.openAccount()
    let clients = world.values
    _ = try await clients.userClient.updateProfile(
      Profile(name: "Ada", phone: "+31612345678", note: "Diabetes.", email: "ada@example.org"))
    _ = try await clients.contactsClient.add(
      ContactDraft(
        name: "Zoë", phone: "+31612345678", note: "Sails.",
        channels: [
          ChannelDraft(.ntfy, "https://ntfy.sh/zoe"), ChannelDraft(.webhook, "https://a.example/z"),
        ], roles: [.responder, .dependent]))
    let own = try await clients.channelsClient.add(ChannelDraft(.ntfy, "https://ntfy.sh/ada"), nil)
    try await clients.channelsClient.setMuted(.reminders, own.channel.id, true)
    try await world.watch()
    try await world.advanceWatched(by: .hours(25))
    try await world.letMonitorWork()
    _ = try await clients.checkInClient.checkIn(.manual)
    _ = try await clients.alertClient.raise("fell")
    _ = try await clients.checkInClient.pause(world[\.now] + .days(2))
    _ = try await clients.storageClient.setDocument(
      .appearance, Data(#"{"theme":"mono","n":7}"#.utf8), nil)
    var export = try await clients.transferClient.exportAccount()
    export.files = [
      EmergencyDocument(
        id: UUID(), name: "card.pdf", contentType: .text, size: 4_711, access: .duringAlert,
        addedAt: world[\.now])
    ]
    for index in export.alerts.indices {
      export.alerts[index].noticedLateBy = .minutes(7)
      export.alerts[index].acknowledgements = [
        Acknowledgement(responder: export.contacts[0].id, name: "Zoë", date: world[\.now])
      ]
    }
    return try JSONDecoder().decode(JSONValue.self, from: export.encoded())
  }

  /// Performs the everyday operations of a person and a monitor.
  private func live(_ clients: DependencyValues, at now: Date) async throws {
    _ = try? await clients.checkInClient.checkIn(.manual)
    let user = try await clients.userClient.currentUser()
    let alerts = try await clients.alertClient.history(100)
    _ = user.status(at: now, alerts: alerts.map(\.alert))
    _ = user.deadline.nextVisibleChange(after: now)
    _ = TimeSpan.seconds(user.deadline.secondsLeft(at: now)).countdownDescription
    _ = CheckInRecord(try await clients.checkInClient.history(100), calendar: .utc)
      .streak(of: user.deadline, at: now)
    _ = try? await clients.checkInClient.pause(now + .days(1))
    _ = try? await clients.checkInClient.resume(.manual)
    _ = try? await clients.checkInClient.updateInterval(CheckInInterval(.hours(8)))
    _ = try? await clients.alertClient.raise("again")
    _ = try? await clients.alertClient.cancel()
    for account in try await clients.monitorClient.due(now, 10) {
      for later in [TimeSpan.zero, .days(2), .days(60)] {
        let plan = Planner.plan(account, now: now + later, makeID: { UUID() })
        guard later == .zero else { continue }
        _ = try await clients.monitorClient.apply(plan, account.user.id, account.revision, now)
      }
    }
    for delivery in try await clients.monitorClient.claim(
      now, .seconds(60), ClaimRequest(limit: 100))
    {
      _ = try await clients.monitorClient.record(delivery.id, delivery.token, .sent, nil, now)
    }
    _ = try await clients.transferClient.exportAccount().encoded()
  }

  @Test("No mutated export crashes the program when imported into a store in memory and used")
  func inMemory() async throws {
    var mutation = Mutation(of: try await export(), seed: 1)
    let count = repetitions(2_000, nightly: 10_000)
    var accepted = 0
    for _ in 0..<count {
      guard let export = try? AccountExport(decoding: mutation.next()) else { continue }
      let now = World.start + .days(3)
      let platform = EmbeddedPlatform.inMemory(now: { now })
      var clients = DependencyValues()
      platform.install(in: &clients)
      guard (try? await clients.transferClient.importAccount(export)) != nil else { continue }
      accepted += 1
      try await live(clients, at: now)
    }
    // If too few are accepted, the test proves nothing.
    #expect(accepted > count / 10)
  }

  @Test("No mutated export crashes the program when imported into a store on disk and used")
  func embedded() async throws {
    var mutation = Mutation(of: try await export(), seed: 2)
    var accepted = 0
    while accepted < 40 {
      guard let export = try? AccountExport(decoding: mutation.next()) else { continue }
      let now = World.start + .days(3)
      let folder = try TemporaryFolder()
      let folders = Folders(
        data: folder.path + "/data", config: folder.path + "/config", state: folder.path + "/state")
      var clients = DependencyValues()
      try EmbeddedPlatform(folders: folders, now: { now }).install(in: &clients)
      guard (try? await clients.transferClient.importAccount(export)) != nil else { continue }
      accepted += 1
      try await live(clients, at: now)
    }
  }

  @Test("No mutated recording crashes a replay, and no mutated config.json5 crashes its parser")
  func recordingsAndSettings() async throws {
    let world = World()
    let platform = await EmbeddedPlatform.demo(now: { world[\.now] })
    let file = try RecordingFile("r.jsonl", world.recordingAccess)
    let store = AppSession(recording: file.target) {
      platform.install(in: &$0)
      $0.dateClient.calendar = .local
      $0.continuousClock = NeverClock()
    }.store
    store.send(.started)
    for await main in store.values(of: \.main) where main?.snapshot.watch != nil { break }
    for tab in [.responders, .dependents, .alerts, .profile, .checkIn] as [MainTabFeature.Tab] {
      store.send(.main(.tabSelected(tab)))
    }
    let lines = (world[\.recordings]["r.jsonl"] ?? "").split(separator: "\n")
    var random = SplitMix64(seed: 3)
    var replayed = 0
    let count = repetitions(150, nightly: 4_000)
    for seed in 0..<count {
      let index = Int.random(in: 0..<lines.count, using: &random)
      let line = try JSONDecoder().decode(JSONValue.self, from: Data(lines[index].utf8))
      var mutation = Mutation(of: line, seed: UInt64(seed))
      var changed = lines.map { Data($0.utf8) }
      changed[index] = try mutation.next()
      let data = Data(changed.joined(separator: Data("\n".utf8)) + Data("\n".utf8))
      guard let recording = try? AppRecording(data) else { continue }
      replayed += 1
      _ = recording.finalState()
    }
    #expect(replayed > count / 20)
    let settings = #"""
      {"smtp": {"host": "h", "port": 25, "username": "a", "from": "a@b.example",
        "password_command": ["p"]},
       "heartbeat": {"url": "https://h.example", "every": "5m"},
       "links": {"url": "https://l.example", "listen": "[::1]:80", "proxy": "::1"},
       "error_log": {"url": "https://e.example", "token_command": ["t"]}}
      """#
    var mutation = Mutation(
      of: try JSONDecoder().decode(JSONValue.self, from: Data(settings.utf8)), seed: 4)
    for _ in 0..<5_000 {
      let bytes = try mutation.next()
      _ = try? Configuration(json5: bytes)
      // Also cut off, as after a disk error or a typing mistake.
      _ = try? Configuration(json5: bytes.dropLast(Int.random(in: 0..<bytes.count, using: &random)))
    }
    for span in ["9223372036854775807s", "153722867280912930m", "99999999999999d 23h", "-1h"] {
      _ = try? Configuration(
        json5: Data(#"{heartbeat: {url: "https://h.example", every: "\#(span)"}}"#.utf8))
    }
  }
}

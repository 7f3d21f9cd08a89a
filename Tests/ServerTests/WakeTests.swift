import Clients
import Domain
import FoundationEssentials
import Monitor
import Server
import ServerTesting
import Testing

@testable import Store

/// How often a waiting device is woken, which anyone can see who watches the network.
@Suite("Wake-ups of waiting devices", .timeLimit(.minutes(1)))
struct WakeTests {
  private static let pass = Secret("river stone")
  private static let duress = Secret("maple leaf")

  /// What a person's devices and a responder go through.
  /// - Returns: The number of changes that the devices were woken for after each step, and how many
  ///   messages went to the responder.
  private func life(
    _ engine: Engine, isForced: Bool
  ) async throws -> (wakes: [Int], sent: Int) {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    _ = try await ada.clients.contactsClient.add(
      ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder))
    try await ada.clients.authClient.updateGate(Gate(passphrase: Self.pass, duress: Self.duress))
    _ = try await work(world)
    let passphrase = isForced ? Self.duress : Self.pass
    var wakes: [Int] = []
    var sent: [ClaimedDelivery] = []
    func step(_ body: () async throws -> Void) async throws {
      let before = try await world.store.administration.changes(of: "Ada")
      try await body()
      wakes.append(try await world.store.administration.changes(of: "Ada") - before)
    }
    try await step { _ = try await ada.clients.checkInClient.$checkIn(.manual, typing: passphrase) }
    try await step { sent += try await work(world) }
    try await step {
      guard let code = sent.first(where: { $0.alert?.kind == .duress })?.code else { return }
      let bo = world.app().clients.responseClient
      _ = try await bo.respondByLink(code.value)
      sent += try await work(world)
      try await bo.withdraw(code.value, false)
      sent += try await work(world)
    }
    for _ in 1...3 {
      try await step {
        world.now = world.now + .hours(1)
        sent += try await work(world)
      }
    }
    try await step {
      _ = try await ada.clients.checkInClient.$pause(world.now + .hours(5), typing: passphrase)
      sent += try await work(world)
    }
    try await step {
      _ = try await ada.clients.checkInClient.$resume(.manual, typing: passphrase)
      sent += try await work(world)
    }
    return (wakes, sent.count { $0.recipient != .owner && $0.alert?.kind == .duress })
  }

  /// Plans, sends and records everything that is due.
  private func work(_ world: ServerWorld) async throws -> [ClaimedDelivery] {
    let monitor = world.monitor
    var sent: [ClaimedDelivery] = []
    while true {
      for account in try await monitor.due(world.now, 100) {
        let plan = Planner.plan(account, now: world.now, makeID: { UUID() })
        _ = try await monitor.apply(plan, account.user.id, account.revision, world.now)
      }
      let claimed = try await monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 100))
      guard !claimed.isEmpty else { return sent }
      for delivery in claimed {
        _ = try await monitor.record(delivery.id, delivery.token, .sent, nil, world.now)
      }
      sent += claimed
    }
  }

  @Test(
    "CHK-3: devices are woken as often under duress as otherwise, whatever is sent",
    arguments: Engine.all)
  func equal(_ engine: Engine) async throws {
    let calm = try await life(engine, isForced: false)
    let forced = try await life(engine, isForced: true)
    #expect(calm.wakes == forced.wakes)
    #expect(calm.wakes[0] > 0 && calm.wakes[2] == 0)
    #expect(calm.sent == 0 && forced.sent >= 4, "\(forced.sent)")
  }
}

extension Store {
  fileprivate func changes(of name: String) throws -> Int {
    try database.value(
      Int.self,
      """
      SELECT count(*) FROM change JOIN account ON account.key = change.account WHERE name = ?1
      """, name) ?? 0
  }
}

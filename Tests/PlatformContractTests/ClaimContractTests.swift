import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("ESC-6: MonitorClient: order of claimed messages", .timeLimit(.minutes(2)))
struct ClaimContractTests {
  /// A world with accounts, each with a number of pending reminders.
  private func world(
    _ platform: Platform, _ accounts: [(name: String, messages: Int)]
  ) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    for (name, _) in accounts {
      let profile = Profile(name: name, email: "\(name)@example.org")
      _ = try await world.openFurtherAccount(NewAccount(profile: profile))
    }
    for account in try await world.monitor.due(world.now, 20_000) {
      let count = accounts.first { $0.name == account.user.profile.name }?.messages ?? 0
      let plan = Plan(
        deliveries: (0..<count).map { .reminder(.minutes(count - $0), of: account.user) })
      #expect(
        try await world.monitor.apply(plan, account.user.id, account.revision, world.now))
    }
    return world
  }

  private func claim(
    _ request: ClaimRequest, in world: World
  ) async throws -> [ClaimedDelivery] {
    try await world.monitor.claim(world.now, .seconds(60), request)
  }

  @Test(
    "ESC-6: claims alternate between accounts, however many messages each has",
    arguments: Platform.everywhere)
  func inTurn(_ platform: Platform) async throws {
    let world = try await world(platform, [("Jo", 50), ("Kim", 2), ("Lee", 1)])
    let first = try await claim(ClaimRequest(limit: 3), in: world)
    #expect(Set(first.map(\.user.profile.name)) == ["Jo", "Kim", "Lee"])
    let second = try await claim(ClaimRequest(limit: 3), in: world)
    #expect(second.map(\.user.profile.name).sorted() == ["Jo", "Jo", "Kim"])
  }

  @Test(
    "ESC-6: calls for help are claimed before all other messages", arguments: Platform.everywhere)
  func callsFirst(_ platform: Platform) async throws {
    let world = try await world(platform, [("Jo", 5)])
    world.advance(.minutes(1))
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("")
    var again = PlannedDelivery.alertOn(alert, to: bo)
    again.stage = .alertOnAgain(1)
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo), again]))
    let claimed = try await claim(ClaimRequest(limit: 3), in: world)
    #expect(claimed.map(\.stage.isCall) == [true, true, false])
  }

  @Test(
    "ESC-6: messages never tried are claimed before retries, whose number is limited",
    arguments: Platform.everywhere)
  func retriesLast(_ platform: Platform) async throws {
    let world = try await world(platform, [("Jo", 4), ("Kim", 1)])
    let tried = try await claim(ClaimRequest(limit: 3), in: world)
    for delivery in tried {
      _ = try await world.monitor.record(
        delivery.id, delivery.token, .retry(reason: "busy", after: nil), world.now, world.now)
    }
    for account in try await world.monitor.due(world.now, 9) {
      _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    }
    let claimed = try await claim(ClaimRequest(limit: 4, retryLimit: 1), in: world)
    #expect(claimed.map(\.attempt) == [1, 1, 2])
  }

  @Test(
    "ESC-6: a busy destination gets a limited number of messages; other destinations don't wait",
    arguments: Platform.everywhere)
  func destinations(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    let addresses = [
      (Channel.Kind.webhook, "https://slow.example/a"), (.webhook, "https://slow.example/b"),
      (.webhook, "https://SLOW.example/c"), (.webhook, "https://quick.example/a"),
      (.email, "ida@example.org"), (.email, "ida@example.com"), (.ntfy, "https://ntfy.sh/7Qm2"),
    ]
    try await world.apply(
      Plan(
        deliveries: addresses.map { kind, address in
          var delivery = PlannedDelivery.reminder(.minutes(30), of: user)
          (delivery.channel, delivery.address) = (kind, address)
          return delivery
        }))
    let slow = Destination(kind: .webhook, address: "https://slow.example")
    let request = ClaimRequest(
      limit: 9, kinds: [.webhook, .email], limitPerDestination: 2, busy: [slow: 1])
    #expect(
      try await claim(request, in: world).map(\.address) == [
        "https://slow.example/a", "https://quick.example/a", "ida@example.org", "ida@example.com",
      ])
    #expect(
      try await claim(ClaimRequest(limit: 9, kinds: [.ntfy]), in: world).map(\.channel) == [.ntfy])
    #expect(try await claim(ClaimRequest(limit: 9, kinds: []), in: world).isEmpty)
    #expect(try await claim(ClaimRequest(limit: 9), in: world).count == 2)
  }

  @Test(
    "ESC-6: a stuck server or an account with 700 messages doesn't delay another account",
    arguments: Platform.everywhere)
  func lateComer(_ platform: Platform) async throws {
    let world = try await world(platform, [("Jo", 700)])
    let slow = Destination(kind: .email, address: "")
    #expect(try await claim(ClaimRequest(limit: 3), in: world).count == 3)
    world.advance(.minutes(1))
    let kim = try await world.openFurtherAccount(NewAccount(profile: Profile(name: "Kim")))
    let account = try #require(
      await world.monitor.due(world.now, 10).first { $0.user.id == kim.id })
    let plan = Plan(
      deliveries: [Channel.Kind.email, .ntfy].map { kind in
        var delivery = PlannedDelivery.reminder(.minutes(30), of: kim)
        delivery.channel = kind
        delivery.address = kind == .email ? "kim@example.org" : "https://ntfy.sh/Kim"
        return delivery
      })
    #expect(try await world.monitor.apply(plan, kim.id, account.revision, world.now))
    let stuck = ClaimRequest(limit: 9, limitPerDestination: 8, busy: [slow: 8])
    #expect(try await claim(stuck, in: world).map(\.channel) == [.ntfy])
    let next = try await claim(ClaimRequest(limit: 2), in: world)
    #expect(Set(next.map(\.user.profile.name)) == ["Jo", "Kim"])
  }

  @Test(
    "ESC-3: two stores give a message about the same alert the same identifier",
    arguments: Platform.everywhere)
  func identity(_ platform: Platform) async throws {
    let (one, two) = (try World(platform), try World(platform))
    let id = UUID()
    var identities: [UUID] = []
    for world in [one, two] {
      try await world.openAccount()
      let alert = Alert(id: id, kind: .missed, raisedAt: world.now, sequence: 0)
      let bo = Contact(
        id: id, name: "Bo", roles: .responder,
        channels: [Channel(id: id, kind: .email, address: "bo@example.org")], addedAt: world.now)
      try await world.apply(
        Plan(missedAlert: alert, deliveries: [.alertOn(alert, to: bo)]))
      identities += try await claim(ClaimRequest(limit: 9), in: world).map(\.id)
    }
    #expect(identities.count == 2 && identities[0] == identities[1])
  }
}

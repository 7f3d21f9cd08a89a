import Clients
import Cryptography
import Domain
import FoundationEssentials
import Testing

@Suite("FallbackClient: a store that could not be written", .timeLimit(.minutes(2)))
struct FallbackContractTests {
  private func missedAlert(of user: User, _ world: World) -> Alert {
    Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: user.checkInSequence)
  }

  private func call(_ alert: Alert, to contact: Contact) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .alert(alert.id), stage: .nonResponsive, recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: "bo@example.org")
  }

  /// The memory of a monitor that notified Bo.
  private func memory(
    of alert: Alert, _ user: User, _ world: World, isSent: Bool = true
  ) async throws -> AccountMemory {
    let planned = call(alert, to: try await world.contacts.contacts()[0])
    // Take the identifier that a store gives to the same message.
    let twin = try World(world.platform)
    try await twin.openAccount(responders: [.bo])
    try await twin.apply(Plan(missedAlert: alert, deliveries: [planned]))
    let id = try await twin.monitor.claim(twin.now, .seconds(1), ClaimRequest(limit: 1))[0].id
    return AccountMemory(
      account: user.id, alerts: [alert],
      messages: [
        .init(
          id: id, planned: planned, attempts: 1, sentAt: isSent ? world.now : nil,
          plannedAt: world.now)
      ])
  }

  @Test(
    "Accounts that need planning or have a due message are listed as waiting, page by page",
    arguments: Platform.allCases)
  func waiting(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    for name in ["Jo", "Kim"] {
      _ = try await world.openFurtherAccount(NewAccount(profile: Profile(name: name)))
    }
    let first = try await world.fallback.waiting(world.now, 0, 2)
    let second = try await world.fallback.waiting(world.now, try #require(first.next), 2)
    #expect(second.next == nil)
    #expect(
      Set((first.accounts + second.accounts).map(\.user.profile.name)) == ["Ida", "Jo", "Kim"])
    for account in try await world.monitor.due(world.now, 9) {
      let plan = Plan(
        deliveries: account.user.id == user.id ? [.reminder(.minutes(30), of: user)] : [])
      _ = try await world.monitor.apply(plan, account.user.id, account.revision, world.now)
    }
    let left = try await world.fallback.waiting(world.now, 0, 9)
    #expect(left.accounts.map(\.user.id) == [user.id])
    #expect(left.accounts[0].deliveries.map(\.stage) == [.reminder(.minutes(30))])
  }

  @Test(
    "A message from memory is completed from the store unless claimed or sent already",
    arguments: Platform.allCases)
  func equip(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    let alert = try await world.alerts.raise("")
    let bo = try await world.contacts.contacts()[0]
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    let waiting = try await world.fallback.waiting(world.now, 0, 9).accounts[0]
    let record = try #require(waiting.deliveries.first)
    let blank = ClaimedDelivery(
      id: record.id, token: UUID(), attempt: 1, stage: record.stage, recipient: record.recipient,
      recipientName: "", channel: record.channel, address: record.address,
      plannedAt: world.now + .hours(1), user: user, alert: alert)
    let full = try #require(try await world.fallback.equip(blank, world.now))
    #expect(full.recipientName == "Bo")
    #expect(full.plannedAt == world.now)
    #expect(full.token == blank.token)
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 9))
    #expect(full.code != nil && full.code == claimed.first?.code)
    #expect(try await world.fallback.equip(blank, world.now) == nil)
    #expect(try await world.fallback.equip(blank, world.now + .seconds(61)) != nil)
    _ = try await world.monitor.record(
      claimed[0].id, claimed[0].token, .sent, nil, world.now)
    #expect(try await world.fallback.equip(blank, world.now + .seconds(61)) == nil)
  }

  @Test(
    "CHK-6: a call from memory isn't completed once the person has checked in or cancelled",
    arguments: Platform.allCases)
  func isOver(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    func call(_ alert: Alert, _ stage: Stage) -> ClaimedDelivery {
      ClaimedDelivery(
        id: UUID(), token: UUID(), attempt: 1, stage: stage, recipient: .contact(bo.id),
        recipientName: "Bo", channel: .email, address: "bo@example.org", plannedAt: world.now,
        user: user, alert: alert)
    }
    let missed = call(missedAlert(of: user, world), .nonResponsive)
    let manual = call(try await world.alerts.raise(""), .alertOn)
    for message in [missed, manual] {
      #expect(try await world.fallback.equip(message, world.now) != nil)
    }
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.fallback.equip(missed, world.now) == nil)
    #expect(try await world.fallback.equip(manual, world.now) != nil)
    _ = try await world.alerts.cancel()
    #expect(try await world.fallback.equip(manual, world.now) == nil)
  }

  @Test(
    "Alerts and messages from a monitor's memory are stored once, even if reported twice",
    arguments: Platform.allCases)
  func adopt(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    world.advance(.hours(25))
    let alert = missedAlert(of: user, world)
    let memory = try await memory(of: alert, user, world)
    world.advance(.hours(1))
    for _ in 0..<2 {
      try await world.fallback.adopt(memory)
      let report = try await world.alerts.history(9)
      #expect(report.map(\.alert) == [alert])
      #expect(report[0].deliveries.map(\.state) == [.sent])
      #expect(report[0].deliveries.map(\.date) == [alert.raisedAt])
    }
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 9)) == [])
    // The next plan takes the message into account, so that a returning person gets an all-clear.
    let due = try await world.dueAccount()
    #expect(due.alerts == [alert])
    #expect(due.deliveries.map(\.mayHaveArrived) == [true])
    #expect(due.deliveries.map(\.attempts) == [1])
  }

  @Test(
    "CHK-6: an alert from memory is stored as ended if the person has checked in since",
    arguments: Platform.allCases)
  func backMeanwhile(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    world.advance(.hours(25))
    let memory = try await memory(of: missedAlert(of: user, world), user, world)
    world.advance(.minutes(1))
    _ = try await world.checkIn.checkIn(.manual)
    try await world.fallback.adopt(memory)
    let alert = try await world.alerts.history(1)[0].alert
    #expect(alert.resolvedAt == world.now)
    #expect(try await world.dueAccount().deliveries.map(\.state) == [.sent])
  }

  @Test(
    "A message from memory whose answer was lost may have arrived and is sent again",
    arguments: Platform.allCases)
  func doubtful(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    world.advance(.hours(25))
    try await world.fallback.adopt(
      try await memory(of: missedAlert(of: user, world), user, world, isSent: false))
    #expect(try await world.dueAccount().deliveries.map(\.mayHaveArrived) == [true])
    try await world.apply(Plan())
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 9))
    #expect(claimed.map(\.attempt) == [2])
  }

  @Test(
    "ESC-4: a restarted grace time from memory is stored only for the current deadline",
    arguments: Platform.allCases)
  func grace(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    var memory = AccountMemory(account: user.id)
    memory.grace = .init(sequence: user.checkInSequence + 1, from: world.now)
    try await world.fallback.adopt(memory)
    #expect(try await world.user.currentUser().graceFrom == nil)
    memory.grace = .init(sequence: user.checkInSequence, from: world.now)
    try await world.fallback.adopt(memory)
    #expect(try await world.user.currentUser().graceFrom == world.now)
  }

  @Test("Memory of an account that no longer exists is ignored", arguments: Platform.allCases)
  func gone(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    var memory = try await memory(of: missedAlert(of: user, world), user, world)
    memory.account = UUID()
    try await world.fallback.adopt(memory)
    #expect(try await world.alerts.history(9) == [])
  }

  @Test(
    "ESC-3: a message about a deadline has the same identifier in a store and in memory",
    arguments: Platform.allCases)
  func identity(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    let planned = PlannedDelivery.reminder(.minutes(30), of: user)
    try await world.apply(Plan(deliveries: [planned]))
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 9))
    #expect(claimed.map(\.id) == [UUID(of: planned, aboutDeadlineOf: user)])
  }
}

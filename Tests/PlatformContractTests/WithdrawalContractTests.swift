import Clients
import Domain
import FoundationEssentials
import Monitor
import TestSupport
import Testing

/// PAGE-1: withdrawing a response, with the monitors' real planner.
@Suite(.timeLimit(.minutes(1)))
struct WithdrawalContractTests {
  static let (open, duress) = (Secret("blue kettle"), Secret("green kettle"))

  /// Creates Ida's account, with hourly check-ins and Bo and Cem as responders. Also returns the
  /// codes with which they can decline.
  private func makeWorld(
    _ platform: Platform, hasGate: Bool = false
  ) async throws -> (World, declining: [String: String]) {
    let world = try World(platform)
    _ = try await world.auth.createAccount(
      NewAccount(
        profile: Profile(name: "Ida"), interval: CheckInInterval(.hours(1)), reminders: [],
        responders: [.bo, .cem]))
    let codes = try await codes(world)
    if hasGate {
      try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    }
    return (world, codes)
  }

  /// Sends all due messages and returns their codes by recipient.
  @discardableResult
  private func codes(_ world: World) async throws -> [String: String] {
    let claimed = try await world.claimDue()
    for delivery in claimed {
      _ = try await world.monitor.record(delivery.id, delivery.token, .sent, nil, world.now)
    }
    return Dictionary(
      claimed.compactMap { delivery in delivery.code.map { (delivery.recipientName, $0.value) } },
      uniquingKeysWith: { $1 })
  }

  private func id(_ name: String, _ world: World) async throws -> Contact.ID {
    try #require(try await world.contacts.contacts().first { $0.name == name }).id
  }

  /// The distinct kinds of message sent within a time span.
  private func sent(_ world: World, in span: TimeSpan = .zero) async throws -> Set<String> {
    Set(try await world.watch(span).map { $0.replacing(/:\S+/, with: "") })
  }

  @Test(
    "PAGE-1: a response announced for an ended alert is withdrawn for the alert still on",
    arguments: Platform.everywhere)
  func toldElsewhere(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform)
    let manual = try await world.alerts.raise("")
    try await world.watch(.minutes(74))
    world.advance(.minutes(1))
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(bo)
    #expect(try await sent(world) == ["manual acknowledged Cem"], "once for both alerts")
    _ = try await world.alerts.cancel()
    try await world.watch(.zero)
    let look = try await world.responses.invitation(bo)
    #expect(look.hasResponded && look.call?.alert.kind == .missed)
    try await world.responses.withdraw(bo)
    #expect(try await sent(world) == ["missed withdrawn Cem"])
    let alerts = try await world.alerts.history(9).map(\.alert)
    #expect(alerts.first { $0.id == manual.id }?.acknowledgements.count == 1)
    #expect(alerts.first { $0.id != manual.id }?.acknowledgements == [])
  }

  @Test(
    "PAGE-1: the withdrawal of a response waits until the response's message is sent",
    arguments: Platform.everywhere)
  func order(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform)
    _ = try await world.alerts.raise("")
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(bo)
    let word = try #require(try await world.claimDue().first)
    #expect(word.recipientName == "Cem")
    try await world.responses.withdraw(bo)
    #expect(try await world.step() == [])
    world.advance(.seconds(59))
    #expect(try await world.step() == [])
    _ = try await world.monitor.record(word.id, word.token, .sent, nil, world.now)
    world.advance(.seconds(1))
    #expect(try await sent(world) == ["manual withdrawn Cem"])
  }

  @Test(
    "PAGE-1: a response message that fails after the withdrawal is not retried",
    arguments: Platform.everywhere)
  func notRetried(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform)
    _ = try await world.alerts.raise("")
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(bo)
    let word = try #require(try await world.claimDue().first)
    try await world.responses.withdraw(bo)
    _ = try await world.monitor.record(
      word.id, word.token, .retry(reason: "busy", after: nil), world.now + .seconds(5), world.now)
    let sent = try await sent(world, in: .minutes(10))
    #expect(!sent.contains("manual acknowledged Cem"), "\(sent)")
  }

  enum Leaving: CaseIterable {
    case declines, isRemoved, losesRole
  }

  @Test(
    "ESC-2, PAGE-1: if a responding contact leaves, the response ends and calls are repeated",
    arguments: Platform.everywhere, Leaving.allCases)
  func leaves(_ platform: Platform, _ leaving: Leaving) async throws {
    let (world, declining) = try await makeWorld(platform)
    _ = try await world.alerts.raise("")
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(bo)
    try await world.watch(.zero)
    let contact = try await world.contact(id("Bo", world))
    switch leaving {
    case .declines: _ = try await world.responses.respondByLink(try #require(declining["Bo"]))
    case .isRemoved: try await world.contacts.delete(contact.id)
    case .losesRole:
      _ = try await world.contacts.update(
        contact, ContactDraft(name: "Bo", email: "bo@example.org", roles: .dependent))
    }
    let report = try await world.alerts.history(1)[0]
    #expect(report.alert.acknowledgements == [])
    #expect(
      report.withdrawals.map(\.name) == (leaving == .declines ? ["Bo"] : []),
      "who was removed hasn't said so")
    let sent = try await sent(world, in: .minutes(61))
    #expect(sent.isSuperset(of: ["manual withdrawn Cem", "manual alert_on_again Cem"]), "\(sent)")
  }

  enum LinkedLeaving: CaseIterable {
    case ends, isRemoved, resigns, losesRole, deletesAccount
  }

  @Test(
    "ESC-2, CON-4, AUTH-4: if a linked responder leaves, the response ends and calls repeat",
    arguments: Platform.everywhere, LinkedLeaving.allCases)
  func linkedLeaves(_ platform: Platform, _ leaving: LinkedLeaving) async throws {
    let (world, _) = try await makeWorld(platform)
    let peer = try await world.openPeer("Dan")
    let relation = try await world.befriend(peer, [.responder, .dependent])
    let alert = try await world.alerts.raise("")
    try await world.watch(.zero)
    _ = try await peer.alerts.acknowledge(alert.id)
    try await world.watch(.zero)
    let id = relation.own.id
    switch leaving {
    case .ends: try await peer.contacts.delete(id)
    case .isRemoved: try await world.contacts.delete(id)
    case .resigns: _ = try await peer.contacts.setRoles(id, .responder)
    case .losesRole: _ = try await world.contacts.setRoles(id, .dependent)
    case .deletesAccount: try await peer.auth.deleteAccount(Secret("four random words"))
    }
    let report = try await world.alerts.history(1)[0]
    #expect(report.alert.acknowledgements == [] && report.withdrawals == [])
    let sent = try await sent(world, in: .minutes(61))
    #expect(sent.isSuperset(of: ["manual withdrawn Cem", "manual alert_on_again Cem"]), "\(sent)")
  }

  @Test(
    "PAGE-1: a linked responder can withdraw only their own response in the app",
    arguments: Platform.everywhere)
  func linked(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform)
    let (dan, eve) = (try await world.openPeer("Dan"), try await world.openPeer("Eve"))
    for peer in [dan, eve] { try await world.befriend(peer, .responder) }
    let alert = try await world.alerts.raise("")
    try await world.watch(.zero)
    for peer in [dan, eve] { _ = try await peer.alerts.acknowledge(alert.id) }
    try await world.watch(.zero)
    #expect(try await dan.alerts.withdraw(alert.id).acknowledgements.map(\.name) == ["Eve"])
    #expect(try await world.alerts.history(1)[0].withdrawals.map(\.name) == ["Dan"])
    #expect(
      try await sent(world)
        == ["manual withdrawn Bo", "manual withdrawn Cem", "manual withdrawn Eve"])
    _ = try await dan.alerts.withdraw(alert.id)
    #expect(try await sent(world) == [])
    await expect(ClientError.alertNotActive) { () throws(ClientError) in
      _ = try await world.alerts.withdraw(alert.id)
    }
    _ = try await world.alerts.cancel()
    await expect(ClientError.alertNotActive) { () throws(ClientError) in
      _ = try await eve.alerts.withdraw(alert.id)
    }
  }

  @Test(
    "PAGE-1, ALT-9: a program can withdraw a response by code, but not to a silent alert",
    arguments: Platform.everywhere)
  func typed(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform, hasGate: true)
    _ = try await world.alerts.raise("")
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respond(bo)
    try await world.responses.withdraw(bo.lowercased(), true)
    #expect(try await world.alerts.history(1)[0].alert.acknowledgements == [])
    _ = try await world.alerts.$cancel(typing: Self.duress)
    await expect(ClientError.alertEnded(person: "Ida")) { () throws(ClientError) in
      try await world.responses.withdraw(bo, true)
    }
    let silent = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(silent)
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      try await world.responses.withdraw(silent, true)
    }
    #expect(
      try await world.auth.$silentAlert(typing: Self.open)?.acknowledgements.map(\.name) == ["Bo"])
  }

  @Test(
    "CHK-3: a responder removed under duress keeps responding to the silent alert",
    arguments: Platform.everywhere)
  func removedUnderDuress(_ platform: Platform) async throws {
    let (world, _) = try await makeWorld(platform, hasGate: true)
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    _ = try await world.alerts.raise("")
    let bo = try #require(try await codes(world)["Bo"])
    _ = try await world.responses.respondByLink(bo)
    try await world.watch(.zero)
    try await world.contacts.$delete(try await id("Bo", world), typing: Self.duress)
    // The person sees the same as without a silent alert.
    #expect(try await world.alerts.history(1)[0].alert.acknowledgements == [])
    let silent = try #require(try await world.auth.$silentAlert(typing: Self.open))
    #expect(silent.acknowledgements.map(\.name) == ["Bo"])
  }
}

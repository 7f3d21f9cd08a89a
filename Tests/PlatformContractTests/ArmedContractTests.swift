import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// ALT-7: an armed alert is raised.
@Suite("Armed alerts", .timeLimit(.minutes(1)))
struct ArmedContractTests {
  let id = UUID()

  func makeWorld(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: [
      ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder)
    ])
    return world
  }

  /// The armed alert, as monitors and all of the person's processes see it.
  func armed(_ world: World) async throws -> ArmedAlert? {
    var shown: ArmedAlert?
    for try await value in world.alerts.observeArmed() {
      shown = value
      break
    }
    let id = try await world.user.currentUser().id
    #expect(try await world.fallback.account(id)?.armed == shown)
    return shown
  }

  @Test(
    "ALT-7: an armed alert is known to monitors but not raised yet", arguments: Platform.allCases)
  func arm(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let arming = try await world.alerts.arm(id, "fell", .seconds(5))
    let expected = ArmedAlert(
      id: id, message: "fell", armedAt: world.now, firesAt: world.now + .seconds(5))
    #expect(arming == .armed(expected))
    #expect(try await armed(world) == expected)
    #expect(try await world.alerts.history(10) == [])
    let due = try await world.monitor.due(world.now, 10)
    #expect(due.map(\.armed) == [expected])
  }

  @Test(
    "ALT-7: typing a message postpones an armed alert to at most 60 s after arming",
    arguments: Platform.allCases)
  func postpone(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let start = world.now
    _ = try await world.alerts.arm(id, "", .seconds(5))
    for second in [4, 20, 38, 50, 59] {
      world.advance(.seconds(second - Int(world.now.timeIntervalSince(start))))
      _ = try await world.alerts.arm(id, "text \(second)", .seconds(20))
      #expect(
        try await armed(world)
          == ArmedAlert(
            id: id, message: "text \(second)", armedAt: start,
            firesAt: start + .seconds(min(second + 20, 60))))
    }
    // A text that arrives a minute after arming raises the alert.
    world.advance(.seconds(1))
    guard case .raised(let alert) = try await world.alerts.arm(id, "last", .seconds(20)) else {
      Issue.record("It is not raised.")
      return
    }
    #expect(alert == Alert(id: id, kind: .manual, message: "last", raisedAt: world.now))
  }

  @Test(
    "ALT-7: arming without a delay raises the alert at once, and only once",
    arguments: Platform.allCases)
  func fire(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "", .seconds(5))
    world.advance(.seconds(2))
    let alert = Alert(id: id, kind: .manual, message: "now", raisedAt: world.now)
    #expect(try await world.alerts.arm(id, "now", .zero) == .raised(alert))
    #expect(try await world.alerts.history(10).map(\.alert) == [alert])
    #expect(try await armed(world) == nil)
    let kinds = try await world.notifications.notifications(10, .all).map(\.kind)
    #expect(kinds.filter { $0 == .alertSent }.count == 1)
    // A second request, as from another process, has no further effect.
    #expect(try await world.alerts.arm(id, "now", .zero) == .raised(alert))
    #expect(try await world.alerts.history(10).count == 1)
  }

  @Test(
    "ALT-7: a monitor's plan raises an armed alert once; an outdated plan raises none",
    arguments: Platform.allCases)
  func plan(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "fell", .seconds(5))
    world.advance(.seconds(5))
    let account = try #require(try await world.monitor.due(world.now, 10).first)
    let alert = try #require(account.armed).raised(at: world.now)
    let plan = Plan(raisedAlert: alert)
    #expect(
      try await world.monitor.apply(plan, account.user.id, account.revision, world.now))
    #expect(
      try await world.monitor.apply(plan, account.user.id, account.revision, world.now) == false)
    #expect(try await world.alerts.history(10).map(\.alert) == [alert])
    #expect(try await armed(world) == nil)
  }

  @Test(
    "ALT-7: a stopped alert can't be raised any more, and nobody is notified",
    arguments: Platform.allCases)
  func disarm(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "", .seconds(5))
    let account = try #require(try await world.monitor.due(world.now, 10).first)
    try await world.alerts.disarm(id)
    #expect(try await armed(world) == nil)
    // Neither an older plan of a monitor nor a late request of the process raises it.
    world.advance(.seconds(5))
    let alert = try #require(account.armed).raised(at: world.now)
    #expect(
      try await world.monitor.apply(
        Plan(raisedAlert: alert), account.user.id, account.revision, world.now) == false)
    #expect(try await world.alerts.arm(id, "", .zero) == .stopped)
    #expect(try await world.alerts.history(10) == [])
    // There is one system notification, and nobody is sent a message.
    try await world.alerts.disarm(id)
    let items = try await world.notifications.notifications(10, .all)
    #expect(items.map(\.kind) == [.info])
    #expect(items.map(\.detail) == ["Stopped. Nobody was notified."])
    #expect(try await world.deliverAll() == [])
    // The next alert can be armed.
    #expect(try await world.alerts.arm(UUID(), "", .zero) != .stopped)
  }

  @Test(
    "ALT-7: an alert stopped before the store received it is never armed",
    arguments: Platform.allCases)
  func disarmFirst(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    try await world.alerts.disarm(id)
    #expect(try await world.alerts.arm(id, "", .seconds(5)) == .stopped)
    #expect(try await armed(world) == nil)
  }

  @Test(
    "ALT-7: an alert that is already on can't be stopped, only cancelled",
    arguments: Platform.allCases)
  func disarmTooLate(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "", .zero)
    await expect(ClientError.alertAlreadyOn) { () async throws(ClientError) in
      try await world.alerts.disarm(id)
    }
    #expect(try await world.alerts.history(10).map(\.alert.isActive) == [true])
    // Once it has ended, a process that wakes up late doesn't raise it again.
    _ = try await world.alerts.cancel()
    guard case .raised(let alert) = try await world.alerts.arm(id, "late", .zero) else {
      Issue.record("It is another one.")
      return
    }
    #expect(!alert.isActive)
    #expect(try await world.alerts.history(10).map(\.alert.isActive) == [false])
  }

  @Test(
    "ALT-7: a second program of the same person shows the same armed alert and can stop it",
    arguments: Platform.allCases)
  func secondProgram(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let second = try world.second()
    let first = try await world.alerts.arm(id, "one", .seconds(5))
    #expect(try await second.alerts.arm(UUID(), "two", .seconds(5)) == first)
    try await second.alerts.disarm(id)
    #expect(try await world.alerts.arm(id, "one", .zero) == .stopped)
  }

  @Test(
    "ALT-7: the alert command raises the armed alert, with its text",
    arguments: Platform.allCases)
  func command(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "typed", .seconds(5))
    let alert = try await world.alerts.raise("")
    #expect(alert.id == id)
    #expect(alert.message == "typed")
    #expect(try await armed(world) == nil)
  }

  @Test(
    "ALT-7: arming during an active alert returns the active alert", arguments: Platform.allCases)
  func alertIsOn(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let alert = try await world.alerts.raise("")
    #expect(try await world.alerts.arm(id, "", .seconds(5)) == .raised(alert))
    #expect(try await armed(world) == nil)
    #expect(try await world.alerts.history(10).count == 1)
  }

  @Test(
    "ALT-7: text added after sending goes once to everyone who was sent the call",
    arguments: Platform.allCases)
  func secondMessage(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "fell", .zero)
    let bo = try #require(try await world.contacts.contacts().first)
    try await world.apply(
      Plan(deliveries: [
        PlannedDelivery(
          occasion: .alert(id), stage: .alertOn, recipient: .contact(bo.id), recipientName: "Bo",
          channel: .email, address: "bo@example.org")
      ]))
    let calls = try await world.deliverAll()
    #expect(calls.map(\.stage) == [.alertOn])
    guard case .raised(let alert) = try await world.alerts.arm(id, "left leg", .zero) else {
      Issue.record("It is not on.")
      return
    }
    #expect(alert.message == "fell\nleft leg")
    _ = try await world.alerts.arm(id, "left leg", .zero)
    let notes = try await world.deliverAll()
    #expect(notes.count == 1)
    guard case .alertNote = notes.first?.stage else {
      Issue.record("\(notes)")
      return
    }
    #expect(notes[0].recipientName == "Bo")
    #expect(notes[0].detail == "left leg")
    #expect(notes[0].inReplyTo == calls[0].messageID)
    #expect(notes[0].alert?.message == "fell\nleft leg")
    // The same text again is a new message.
    for text in ["cellar", "left leg"] {
      _ = try await world.alerts.arm(id, text, .zero)
      #expect(try await world.deliverAll().map(\.detail) == [text])
    }
  }

  @Test("ALT-7: signing out doesn't stop an armed alert", arguments: Platform.allCases)
  func session(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer()
    _ = try await peer.alerts.arm(id, "", .seconds(5))
    try await peer.auth.signOut()
    await expect(ClientError.notAuthenticated) { () async throws(ClientError) in
      try await peer.alerts.disarm(id)
    }
    world.advance(.seconds(5))
    let due = try await world.monitor.due(world.now, 10).compactMap(\.armed)
    #expect(due.map(\.id) == [id])
    #expect(due[0].isDue(at: world.now))
  }

  @Test(
    "ALT-7: an alert in the spool file is shown, wins over a newer alert and is stored once",
    arguments: Platform.all(but: .spool))
  func spooled(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let second = try world.second()
    let waiting = try await world.alerts.spool(id, "fell", .seconds(5))
    for try await shown in second.alerts.observeArmed() {
      #expect(shown == waiting)
      break
    }
    #expect(try await second.alerts.arm(UUID(), "", .seconds(5)) == .armed(waiting))
    for alert in await world.monitor.spooled() { try await world.monitor.takeSpooled(alert) }
    #expect(await world.monitor.spooled() == [])
    #expect(try await armed(world) == waiting)
    let due = try await world.monitor.due(world.now, 10)
    #expect(due.map(\.armed) == [waiting])
  }

  @Test(
    "ALT-7: a spooled alert adds its text and its earlier time to an armed alert",
    arguments: Platform.all(but: .spool))
  func spooledBesideArmed(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let counted = try await world.alerts.spool(id, "at home", .seconds(60))
    for alert in await world.monitor.spooled() { try await world.monitor.takeSpooled(alert) }
    let waiting = try await world.alerts.spool(UUID(), "fell", .seconds(5))
    // A monitor killed before it deletes the file processes it again.
    let spooled = await world.monitor.spooled()
    for alert in spooled + spooled { try await world.monitor.takeSpooled(alert) }
    #expect(
      try await armed(world)
        == ArmedAlert(
          id: id, message: "at home\nfell", armedAt: counted.armedAt, firesAt: waiting.firesAt))
    _ = try await world.alerts.spool(UUID(), "left leg", .zero)
    for alert in await world.monitor.spooled() { try await world.monitor.takeSpooled(alert) }
    #expect(try await armed(world) == nil)
    let reports = try await world.alerts.history(9)
    #expect(reports.map(\.id) == [id])
    #expect(reports.map(\.alert.message) == ["at home\nfell\nleft leg"])
  }

  @Test(
    "ALT-7: an alert spooled during another alert ends with that alert",
    arguments: Platform.all(but: .spool))
  func spooledBesideAlert(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.raise("")
    _ = try await world.alerts.spool(id, "", .seconds(5))
    _ = try await world.alerts.cancel()
    for alert in await world.monitor.spooled() { try await world.monitor.takeSpooled(alert) }
    #expect(try await armed(world) == nil)
    #expect(try await world.alerts.history(10).map(\.alert.isActive) == [false])
  }

  @Test("ALT-7: deleting the account doesn't stop an armed alert", arguments: Platform.allCases)
  func deletion(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.arm(id, "", .seconds(5))
    try await world.auth.deleteAccount(nil)
    #expect(try await world.monitor.due(world.now, 10).compactMap(\.armed).map(\.id) == [id])
  }

  @Test(
    "ALT-7: an alert that a monitor raised from memory is no longer armed",
    arguments: Platform.allCases)
  func adopt(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let user = try await world.user.currentUser()
    _ = try await world.alerts.arm(id, "", .seconds(5))
    world.advance(.seconds(5))
    let alert = Alert(id: id, kind: .manual, raisedAt: world.now)
    for _ in 1...2 {
      try await world.fallback.adopt(AccountMemory(account: user.id, alerts: [alert]))
    }
    #expect(try await world.alerts.history(10).map(\.alert) == [alert])
    #expect(try await armed(world) == nil)
    let kinds = try await world.notifications.notifications(10, .all).map(\.kind)
    #expect(kinds == [.alertSent])
  }
}

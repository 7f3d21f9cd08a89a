import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ALT-6: drills", .timeLimit(.minutes(1)))
struct DrillContractTests {
  @Test(
    "ALT-6: a drill doesn't count as an alert, and only one drill is on at a time",
    arguments: Platform.allCases)
  func begin(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    let drill = try await world.alerts.drill()
    #expect(drill.kind == .drill)
    #expect(drill.isActive)
    #expect(try await world.alerts.drill() == drill)
    #expect(try await world.alerts.history(5).map(\.alert) == [drill])
    // A drill isn't an emergency and doesn't prevent one.
    #expect(user.status(at: world.now, alerts: [drill]) == .ok)
    await expect(ClientError.alertNotActive, world.alerts.cancel)
  }

  // MARK: Drills and alerts

  @Test("ALT-8: no drill begins while an alert is on", arguments: Platform.allCases)
  func refused(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.alerts.raise("")
    await expect(ClientError.alertIsOn, world.alerts.drill)
    _ = try await world.alerts.cancel()
    #expect(try await world.alerts.drill().kind == .drill)
    _ = try await world.alerts.endDrill()
    let user = try await world.user.currentUser()
    try await world.apply(Plan(missedAlert: .missed(user, at: world.now)))
    await expect(ClientError.alertIsOn, world.alerts.drill)
    #expect(try await world.alerts.history(9).filter { $0.alert.kind == .drill }.count == 1)
  }

  /// A drill that was sent to Bo, with a pending message to Cem.
  private func halfTold(_ world: World) async throws -> (drill: Alert, sent: ClaimedDelivery) {
    try await world.openAccount(responders: [.bo, .cem])
    let contacts = try await world.contacts.contacts()
    let drill = try await world.alerts.drill()
    try await world.apply(
      Plan(deliveries: contacts.map { .alertOn(drill, to: $0) }, nextPlanning: nil))
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 1))
    return (drill, try #require(claimed.first))
  }

  @Test(
    "ALT-8: an alert ends a drill at once, and the drill's pending messages are never sent",
    arguments: Platform.allCases, [Alert.Kind.manual, .missed])
  func overtaken(_ platform: Platform, _ kind: Alert.Kind) async throws {
    let world = try World(platform)
    let (drill, sent) = try await halfTold(world)
    world.advance(.seconds(1))
    if kind == .manual {
      _ = try await world.alerts.raise("")
    } else {
      let user = try await world.user.currentUser()
      // The same plan's messages for the drill come too late.
      let cem = try #require(try await world.contacts.contacts().last)
      var late = PlannedDelivery.alertOn(drill, to: cem)
      late.stage = .alertOff
      _ = try await world.account()
      try await world.apply(
        Plan(missedAlert: .missed(user, at: world.now), deliveries: [late]))
    }
    let seen = try await world.account()
    #expect(seen.alerts.map(\.kind) == [kind], "no planner sees the drill any more")
    let report = try #require(
      try await world.alerts.history(9).first { $0.alert.kind == .drill })
    #expect(report.alert.resolvedAt == world.now)
    #expect(report.deliveries.map(\.state) == [.cancelled, .cancelled])
    #expect(try await world.list().contains { $0.detail == DrillReport.endedByAlertText })
    // A message that is being sent can't be stopped, and its result is recorded afterwards.
    #expect(
      try await world.monitor.record(sent.id, sent.token, .sent, nil, world.now))
    #expect(
      try await world.alerts.history(9).last?.deliveries.map(\.state) == [.sent, .cancelled])
    world.advance(.minutes(5))
    #expect(try await world.deliverAll().isEmpty)
    await expect(ClientError.alertNotActive, world.alerts.endDrill)
  }

  @Test(
    "ALT-8: an alert soon after a drill is marked as real for everyone who was sent the drill",
    arguments: Platform.allCases
  )
  func followsDrill(_ platform: Platform) async throws {
    let world = try World(platform)
    let (_, sent) = try await halfTold(world)
    _ = try await world.monitor.record(sent.id, sent.token, .sent, nil, world.now)
    for wait in [TimeSpan.minutes(30), .hours(2)] {
      world.advance(wait)
      let alert = try await world.alerts.raise("")
      try await world.apply(
        Plan(deliveries: world.contacts.contacts().map { .alertOn(alert, to: $0) }))
      let claimed = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 9))
      let warned = claimed.filter(\.followsDrill).map(\.recipientName)
      #expect(claimed.count == 2)
      for message in claimed {
        _ = try await world.monitor.record(message.id, message.token, .sent, nil, world.now)
      }
      #expect(warned == (wait < .hours(1) ? [sent.recipientName] : []))
      _ = try await world.alerts.cancel()
    }
  }

  // MARK: Under duress

  private func setGate(_ world: World) async throws {
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
  }

  @Test(
    "ALT-8: under duress a drill only pretends, with each channel's last outcome and duration",
    arguments: Platform.allCases)
  func pretended(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo, .cem])
    try await setGate(world)
    // The last results of Bo's and Cem's channels.
    let contacts = try await world.contacts.contacts()
    for contact in contacts {
      let channel = try #require(contact.channels.first)
      try await world.channels.sendTest(channel.id)
    }
    try await world.apply(Plan())
    let tests = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 9))
    world.advance(.seconds(4))
    for test in tests {
      let outcome: DeliveryOutcome =
        test.recipientName == "Bo" ? .sent : .permanent(reason: "550 no such user")
      _ = try await world.monitor.record(test.id, test.token, outcome, nil, world.now)
    }
    world.advance(.minutes(2))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    let drill = try await world.alerts.drill()
    try await world.apply(Plan(deliveries: contacts.map { .alertOn(drill, to: $0) }))
    let claimed = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 9))
    let pretences = Dictionary(
      uniqueKeysWithValues: claimed.map { ($0.recipientName, $0.pretendedResult) })
    #expect(pretences["Bo"]??.outcome == .sent)
    #expect(pretences["Bo"]??.duration == .seconds(4))
    #expect(pretences["Cem"]??.outcome == .permanent(reason: "550 no such user"))
  }

  @Test(
    "ALT-8: under duress a drill's report names the same mail server as a real drill's",
    arguments: Platform.allCases)
  func server(_ platform: Platform) async throws {
    var shown: [[DeliveryReport]] = []
    for passphrase in ["blue kettle", "green kettle"] {
      let world = try World(platform)
      try await world.openAccount(responders: [.bo])
      try await setGate(world)
      try await world.deliverAll()
      let bo = try await world.contacts.contacts()[0]
      _ = try await world.checkIn.$checkIn(.manual, typing: Secret(passphrase))
      let drill = try await world.alerts.drill()
      try await world.apply(Plan(deliveries: [.alertOn(drill, to: bo)]))
      let mail = MailRoute(key: "mail", server: "mail.example.org")
      for isOver in [false, true] {
        if isOver {
          let claimed = try await world.monitor.claim(
            world.now + .minutes(2), .minutes(1), ClaimRequest(limit: 9, mail: mail))
          for message in claimed {
            _ = try await world.monitor.record(message.id, message.token, .sent, nil, world.now)
          }
        } else {
          let claimed = try await world.monitor.claim(
            world.now, .minutes(1), ClaimRequest(limit: 9, mail: mail))
          let isPretended = claimed.contains { $0.pretendedResult != nil }
          #expect(isPretended == (passphrase == "green kettle"))
        }
        shown.append(try await world.alerts.history(1)[0].deliveries)
      }
    }
    #expect(shown[0].map(\.server) == ["mail.example.org"])
    for (one, other) in [(shown[0], shown[2]), (shown[1], shown[3])] {
      #expect(one.map(\.server) == other.map(\.server))
      #expect(one.map(\.begunAt) == other.map(\.begunAt))
      #expect(one.map(\.state) == other.map(\.state))
    }
  }

  @Test(
    "ALT-8: a drill running when a silent alert is raised seems to go on to its end",
    arguments: Platform.allCases)
  func wasOn(_ platform: Platform) async throws {
    let world = try World(platform)
    let (drill, sent) = try await halfTold(world)
    #expect(sent.pretendedResult == nil)
    _ = try await world.monitor.record(sent.id, sent.token, .sent, nil, world.now)
    try await setGate(world)
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    try await world.apply(Plan())
    let rest = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 9))
    #expect(rest.count == 1 && rest.allSatisfy { $0.pretendedResult?.outcome == .sent })
    for message in rest {
      _ = try await world.monitor.record(message.id, message.token, .sent, nil, world.now)
    }
    try await world.apply(Plan(endedDrills: [drill.id]))
    #expect(
      try await world.list().first?.detail == "Drill: sent to all 2 responders, at once.")
    let report = try #require(try await world.alerts.history(1).first)
    #expect(report.deliveries.map(\.stage) == [.alertOn, .alertOn], "no end is made up")
    // The end of the silent alert also ends the drill, without messages: some were never notified
    // of it.
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.account().alerts.map(\.kind) == [.duress])
  }

  @Test(
    "ALT-8: an alert that only seems cancelled under duress doesn't prevent a drill",
    arguments: Platform.allCases)
  func concealed(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await setGate(world)
    _ = try await world.alerts.raise("")
    _ = try await world.alerts.$cancel(typing: Secret("green kettle"))
    #expect(try await world.alerts.drill().kind == .drill)
    _ = try await world.alerts.raise("again")
    await expect(ClientError.alertIsOn, world.alerts.drill)
  }

  @Test("ALT-6: a check-in does not end a drill", arguments: Platform.allCases)
  func checkIn(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let drill = try await world.alerts.drill()
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.alerts.history(5).map(\.alert) == [drill])
  }

  @Test("ALT-6: the person can end a drill", arguments: Platform.allCases)
  func end(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    await expect(ClientError.alertNotActive, world.alerts.endDrill)
    let drill = try await world.alerts.drill()
    world.advance(.minutes(1))
    let ended = try await world.alerts.endDrill()
    #expect(ended.id == drill.id)
    #expect(ended.resolvedAt == world.now)
    await expect(ClientError.alertNotActive, world.alerts.endDrill)
    #expect(try await world.alerts.drill().id != drill.id)
    let told = try await world.list()
    #expect(told.map(\.kind) == [.drillFailed])
    #expect(told.first?.detail == "Drill: there was nobody to notify.")
  }

  @Test(
    "ALT-6: when a plan ends a drill, the report says how fast its messages were sent",
    arguments: Platform.allCases)
  func report(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let drill = try await world.alerts.drill()
    var word = PlannedDelivery.alertOn(drill, to: bo)
    word.stage = .alertOn
    try await world.apply(Plan(deliveries: [word]))
    world.advance(.seconds(3))
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 1))[0]
    #expect(claimed.alert?.kind == .drill)
    _ = try await world.monitor.record(claimed.id, claimed.token, .sent, nil, world.now)
    try await world.apply(Plan(endedDrills: [drill.id], nextPlanning: world.now))
    try await world.apply(Plan(endedDrills: [drill.id]))

    let alert = try #require(try await world.alerts.history(5).first)
    #expect(alert.alert.resolvedAt == world.now)
    let report = DrillReport(alert)
    #expect(report.isSentToAll)
    #expect(report.lines.map(\.duration) == [.seconds(3)])
    // The log of their channel, too, says that it was none.
    let channel = try #require(bo.channels.first)
    let messages =
      try await world.channels.log(channel.id)
      + [world.channels.overview().last[channel.id]].compactMap(\.self)
    #expect(messages.filter(\.isDrill).map(\.stage) == [.alertOn, .alertOn])
    let told = try await world.list()
    #expect(told.map(\.kind) == [.drillPassed])
    #expect(told.first?.detail == "Drill: sent to your responder, within 3s.")
  }

  @Test("A plan that ends drills can't end a real alert", arguments: Platform.allCases)
  func real(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(endedDrills: [alert.id]))
    #expect(try await world.alerts.history(5).map(\.alert) == [alert])
  }
}

extension Alert {
  fileprivate static func missed(_ user: User, at now: Date) -> Alert {
    Alert(id: UUID(), kind: .missed, raisedAt: now, sequence: user.checkInSequence)
  }
}

extension World {
  /// The account as a planner sees it, even if it isn't due.
  fileprivate func account() async throws -> MonitoredAccount {
    _ = try await user.updateProfile(user.currentUser().profile)
    return try await dueAccount()
  }
}

extension DrillContractTests {
  @Test(
    "ALT-8: the all-clear of an alert doesn't mention the drill before the alert",
    arguments: Platform.allCases)
  func endAfterDrill(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let drill = try await world.alerts.drill()
    try await world.apply(Plan(deliveries: [.alertOn(drill, to: bo)]))
    try await world.deliverAll()
    let alert = try await world.alerts.raise("")
    var end = PlannedDelivery.alertOn(alert, to: bo)
    end.stage = .alertOff
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo), end]))
    let sent = try await world.deliverAll()
    #expect(
      sent.filter(\.followsDrill).map(\.stage) == [PlannedDelivery.alertOn(alert, to: bo).stage])
    #expect(sent.map(\.stage).contains(.alertOff))
  }
}

import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// CHK-8: what a link allows the person, and anyone else who reads the mailbox.
@Suite(.timeLimit(.minutes(1)))
struct LinkCheckInContractTests {
  static let (open, duress) = (Secret("blue kettle"), Secret("green kettle"))

  /// Creates Ida's account with links allowed and Bo as a responder.
  private func makeWorld(_ platform: Platform, hasGate: Bool = false) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    #expect(try await world.user.allowLinkCheckIn(true).locks.contains(.linkCheckIn))
    if hasGate {
      try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    }
    return world
  }

  /// Sends reminders and returns their codes by address.
  private func remind(
    _ world: World, _ stage: Stage = .reminder(.minutes(30))
  ) async throws -> [String: String] {
    let user = try await world.user.currentUser()
    let own = try await world.channels.overview().own
    try await world.applyToIda(
      Plan(
        deliveries: own.map { channel in
          PlannedDelivery(
            occasion: .deadline(sequence: user.checkInSequence), stage: stage, recipient: .owner,
            recipientName: user.profile.name, channel: channel.kind, address: channel.address)
        }))
    let claimed = try await world.deliverAll()
    return Dictionary(
      claimed.filter { $0.stage == stage }.compactMap { delivery in
        delivery.code.map { (delivery.address, $0.value) }
      }, uniquingKeysWith: { $1 })
  }

  private func code(
    _ world: World, _ stage: Stage = .reminder(.minutes(30))
  ) async throws -> String {
    try #require(try await remind(world, stage)["ida@example.org"])
  }

  private func expectDead(_ code: String, _ world: World) async {
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      _ = try await world.responses.checkInLink(code)
    }
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      _ = try await world.responses.checkIn(code)
    }
  }

  private func sources(_ world: World) async throws -> [CheckIn.Source] {
    try await world.checkIn.history(10).map(\.source)
  }

  /// Lets Ida miss her deadline and notifies Bo.
  private func miss(_ world: World, _ outcome: DeliveryOutcome = .sent) async throws {
    let user = try await world.user.currentUser()
    let now = user.deadline.graceEnd
    world.advance(TimeSpan(seconds: Int(now.timeIntervalSince(world.now))))
    let alert = Alert(id: UUID(), kind: .missed, raisedAt: now, sequence: user.checkInSequence)
    try await world.applyToIda(Plan(missedAlert: alert))
    let bo = try #require(try await world.contacts.contacts().first { !$0.isLinked })
    try await world.applyToIda(Plan(deliveries: [.alertOn(alert, to: bo)]))
    try await world.deliverAll(outcome)
  }

  private func silentAlert(_ world: World) async throws -> Alert? {
    _ = try await world.user.updateProfile(world.user.currentUser().profile)
    return try await world.monitor.due(world.now, 9).flatMap(\.alerts)
      .first { $0.kind == .duress && $0.isActive }
  }

  // MARK: Opting in

  @Test(
    "CHK-8: messages carry no check-in link until the person allows links",
    arguments: Platform.allCases)
  func off(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    #expect(try await remind(world) == [:])
  }

  @Test(
    "CHK-8: turning links off invalidates sent links, even if links are allowed again",
    arguments: Platform.allCases)
  func turnedOff(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    _ = try await world.user.allowLinkCheckIn(false)
    await expectDead(code, world)
    _ = try await world.user.allowLinkCheckIn(true)
    await expectDead(code, world)
  }

  @Test(
    "CHK-8: links go only to mailboxes, generated topics, and own-server topics with a token",
    arguments: Platform.allCases)
  func channels(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let generated = NtfyTopic(id: UUID()).address
    for draft in [
      ChannelDraft(.ntfy, "https://ntfy.sh/ida"), ChannelDraft(.ntfy, generated),
      ChannelDraft(.ntfy, "https://ntfy.sh/named", token: Secret("tk_1")),
      ChannelDraft(.ntfy, "https://ntfy.example.org/open"),
      ChannelDraft(.ntfy, "https://ntfy.example.org/own", token: Secret("tk_1")),
      ChannelDraft(.webhook, "https://hooks.example.org/x"),
      ChannelDraft(.desktop, Channel.desktopAddress), ChannelDraft(.service, "telegram:12345"),
    ] { _ = try await world.channels.add(draft, nil) }
    for stage in [Stage.reminder(.minutes(30)), .deadlinePassed, .noticedLate] {
      let codes = try await remind(world, stage)
      #expect(Set(codes.keys) == ["ida@example.org", generated, "https://ntfy.example.org/own"])
      #expect(Set(codes.values).count == 3, "each channel has a link of its own")
    }
    #expect(try await remind(world, .pauseEnds) == [:])
  }

  // MARK: Readers of the mailbox

  @Test(
    "CHK-8: opening a link changes nothing; pressing the button checks in once",
    arguments: Platform.allCases)
  func presses(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    world.advance(.hours(1))
    for _ in 1...3 { #expect(try await world.responses.checkInLink(code).state == .ready) }
    #expect(try await sources(world) == [.manual])
    let after = try await world.responses.checkIn(code)
    #expect(after.state == .checkedIn(world.now))
    #expect(after.deadline == world.now + .hours(24))
    // Using the code again shows the same result.
    world.advance(.minutes(5))
    #expect(try await world.responses.checkIn(code) == after)
    #expect(try await world.responses.checkInLink(code) == after)
    #expect(try await sources(world) == [.link, .manual])
    #expect(try await world.user.currentUser().checkInSequence == 1)
  }

  @Test(
    "CHK-8: a check-in code can't answer an alert, and an unknown code can't check in",
    arguments: Platform.allCases)
  func otherCodes(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      _ = try await world.responses.invitation(code)
    }
    await expectDead("AAAAA-AAAAA", world)
    #expect(try await sources(world) == [.manual])
  }

  @Test("CHK-8: the store keeps only digests of link codes", arguments: [Platform.embedded])
  func digests(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world).replacing("-", with: "")
    #expect(try await !world.storeContains(code))
  }

  @Test("CHK-8: any other check-in or a pause invalidates sent links", arguments: Platform.allCases)
  func oldLink(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let first = try await code(world)
    world.advance(.hours(1))
    _ = try await world.checkIn.checkIn(.manual)
    await expectDead(first, world)
    let second = try await code(world)
    _ = try await world.checkIn.pause(world.now + .days(2))
    await expectDead(second, world)
    _ = try await world.checkIn.resume(.manual)
    await expectDead(second, world)
    #expect(try await sources(world).allSatisfy { $0 == .manual })
  }

  @Test(
    "CHK-8: using a link invalidates the other links of the same check-in",
    arguments: Platform.allCases)
  func twoLinks(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let (first, second) = (try await code(world), try await code(world, .deadlinePassed))
    #expect(first != second)
    #expect(try await world.responses.checkInLink(second).state == .ready)
    _ = try await world.responses.checkIn(first)
    await expectDead(second, world)
    #expect(try await world.responses.checkInLink(first).state == .checkedIn(world.now))
  }

  @Test(
    "CHK-8: a check-in in the app and a link press at the same time add at most one row each",
    arguments: Platform.allCases)
  func race(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    world.advance(.hours(1))
    async let own = world.checkIn.checkIn(.manual)
    async let link = try? world.responses.checkIn(code)
    _ = try await (own, link)
    let sources = try await sources(world)
    #expect(sources.first == .manual || sources.prefix(2) == [.link, .manual], "\(sources)")
    #expect(sources.count { $0 == .link } <= 1)
    #expect(try await world.user.currentUser().lastCheckIn == world.now)
  }

  @Test(
    "CHK-8: a link expires 48 h after the grace time, with the alert's repeats",
    arguments: Platform.allCases)
  func expires(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    let end = try await world.user.currentUser().deadline.graceEnd + .hours(48)
    world.advance(TimeSpan(seconds: Int(end.timeIntervalSince(world.now)) - 1))
    #expect(try await world.responses.checkInLink(code).state == .ready)
    world.advance(.seconds(1))
    await expectDead(code, world)
  }

  @Test(
    "CHK-8: removing a channel invalidates its links, not those of other channels",
    arguments: Platform.allCases)
  func removedChannel(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let topic = NtfyTopic(id: UUID()).address
    let channel = try await world.channels.add(ChannelDraft(.ntfy, topic), nil).channel
    let codes = try await remind(world)
    // Muting a channel doesn't affect links that it was already sent.
    try await world.channels.setMuted(.reminders, channel.id, true)
    let code = try #require(codes[topic])
    #expect(try await world.responses.checkInLink(code).state == .ready)
    try await world.channels.remove(channel.id)
    await expectDead(code, world)
    #expect(
      try await world.responses.checkInLink(codes["ida@example.org"]!).state == .ready)
  }

  @Test("CHK-8: deleting the account invalidates its links", arguments: Platform.allCases)
  func deleted(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    try await world.auth.deleteAccount(nil)
    await expectDead(code, world)
  }

  @Test(
    "CHK-8: an unconfirmed e-mail address gets no link",
    arguments: Platform.all(but: .passwordless))
  func unconfirmed(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    try await world.auth.updatePassword(nil, Secret("correct horse"))
    _ = try await world.user.$updateProfile(
      Profile(name: "Ida", email: "idaa@example.org"), typing: nil,
      password: Secret("correct horse"))
    #expect(try await remind(world) == [:])
  }

  // MARK: Without a gate

  @Test(
    "CHK-8: without a gate two check-ins in a row can be by link; the next must be in the app",
    arguments: Platform.allCases)
  func limit(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    for _ in 1...2 {
      _ = try await world.responses.checkIn(try await code(world))
      // Check-ins by link are never merged, even within a minute (CHK-1).
      world.advance(.seconds(20))
    }
    #expect(try await remind(world) == [:], "no message has a link that can't check in")
    // Turning links off and on again doesn't reset the limit.
    _ = try await world.user.allowLinkCheckIn(false)
    _ = try await world.user.allowLinkCheckIn(true)
    #expect(try await remind(world, .deadlinePassed) == [:])
    // A link that was sent while the account had a gate.
    let gate = Gate(passphrase: Self.open, duress: Self.duress)
    try await world.auth.updateGate(gate)
    let third = try await code(world, .noticedLate)
    try await world.auth.$updateGate(nil, typing: Self.open)
    #expect(try await world.responses.checkInLink(third).state == .limitReached)
    #expect(try await world.responses.checkIn(third).state == .limitReached)
    #expect(try await sources(world) == [.link, .link, .manual])
    _ = try await world.checkIn.checkIn(.commandLine)
    #expect(try await sources(world).first == .commandLine)
    world.advance(.hours(1))
    #expect(try await world.responses.checkIn(try await code(world)).state != .limitReached)
    #expect(try await sources(world).prefix(2) == [.link, .commandLine])
  }

  @Test(
    "CHK-8: after responders were notified, pressing a link only notifies them of the press, once",
    arguments: Platform.allCases)
  func endsNothing(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, .responder)
    let code = try await code(world, .deadlinePassed)
    let before = try await world.user.currentUser()
    try await miss(world)
    let raised = world.now
    let page = try await world.responses.checkInLink(code)
    #expect(page.state == .endsNothing(since: raised))
    #expect(page.missed == LinkCheckIn.Missed(sentAt: raised))
    world.advance(.minutes(5))
    #expect(try await world.responses.checkIn(code).state == .passedOn(world.now))
    let after = try await world.user.currentUser()
    #expect(after.lastCheckIn == before.lastCheckIn)
    #expect(after.checkInSequence == before.checkInSequence)
    #expect(try await world.alerts.history(1)[0].alert.isActive)
    let told = try await world.deliverAll().filter { $0.stage == .linkPressed }
    #expect(Set(told.map(\.recipientName)) == ["Bo", "Cem"])
    #expect(told.allSatisfy { $0.detail == "a mail" && $0.plannedAt == world.now })
    let shown = try await peer.notifications.notifications(9, .all)
    #expect(shown.contains { $0.subject == "Ida" && $0.detail == ResponderNotice.linkPressed })
    // Further presses, also of another link, are reported only once per alert.
    let second = try await self.code(world, .noticedLate)
    world.advance(.minutes(5))
    _ = try await world.responses.checkIn(code)
    _ = try await world.responses.checkIn(second)
    #expect(try await world.deliverAll().filter { $0.stage == .linkPressed } == [])
    _ = try await world.checkIn.checkIn(.manual)
    await expectDead(code, world)
  }

  @Test(
    "NOT-3, CHK-8: a link's page says responders were notified only after a message was sent",
    arguments: Platform.allCases)
  func nothingSent(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world, .deadlinePassed)
    #expect(try await world.responses.checkInLink(code).missed == nil)
    try await miss(world, .permanent(reason: "no such mailbox"))
    let page = try await world.responses.checkInLink(code)
    #expect(page.state == .endsNothing(since: world.now))
    #expect(page.missed == LinkCheckIn.Missed())
  }

  @Test(
    "CHK-8: a used link's page says checked in until the next deadline, then that it is used up",
    arguments: Platform.allCases, [false, true])
  func usedUp(_ platform: Platform, hasGate: Bool) async throws {
    let world = try await makeWorld(platform, hasGate: hasGate)
    let code = try await code(world)
    world.advance(.hours(1))
    let used = world.now
    _ = try await world.responses.$checkIn(code, typing: hasGate ? Self.open : nil)
    let deadline = try await world.user.currentUser().deadline.date
    world.advance(TimeSpan(seconds: Int(deadline.timeIntervalSince(world.now)) - 1))
    #expect(try await world.responses.checkInLink(code).state == .checkedIn(used))
    world.advance(.seconds(1))
    #expect(try await world.responses.checkInLink(code).state == .usedUp(used))
    try await miss(world)
    let page = try await world.responses.$checkIn(code, typing: hasGate ? Self.open : nil)
    #expect(page.state == .usedUp(used))
    #expect(page.missed == LinkCheckIn.Missed(sentAt: world.now))
    #expect(try await world.alerts.history(1)[0].alert.isActive)
    #expect(try await sources(world) == [.link, .manual])
  }

  // MARK: With a gate

  @Test(
    "CHK-8: with a gate, a press without the passphrase is passed on to notified responders once",
    arguments: Platform.allCases, [false, true])
  func passedOnAtGate(_ platform: Platform, isLocked: Bool) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    let code = try await code(world, .deadlinePassed)
    try await miss(world)
    for _ in 1...(isLocked ? 5 : 1) {
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        _ = try await world.responses.$checkIn(code, typing: Secret("red kettle"))
      }
    }
    #expect(try await world.deliverAll().filter { $0.stage == .linkPressed } == [])
    let before = try await world.responses.checkInLink(code)
    #expect(before.state == .needsPassphrase && before.missed?.passedOnAt == nil)
    let pressed = world.now
    let after = try await world.responses.checkIn(code)
    #expect(after.state == .needsPassphrase && after.missed?.passedOnAt == pressed)
    #expect(
      try await world.deliverAll().filter { $0.stage == .linkPressed }.map(\.recipientName)
        == ["Bo"])
    world.advance(.minutes(2))
    #expect(try await world.responses.checkIn(code) == after, "said once")
    #expect(try await world.alerts.history(1)[0].alert.isActive)
    // With the passphrase, the same link still checks in.
    #expect(
      try await world.responses.$checkIn(code, typing: Self.open).state == .checkedIn(world.now))
    #expect(try await !world.alerts.history(1)[0].alert.isActive)
  }

  @Test(
    "CHK-8, DUR-2: wrong passphrases at a link lock only the link, not the app",
    arguments: Platform.allCases)
  func noPassphrase(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    let code = try await code(world)
    #expect(try await world.responses.checkInLink(code).state == .needsPassphrase)
    func refusal(_ typed: Secret<String>?) async -> ClientError? {
      do throws(ClientError) { _ = try await world.responses.$checkIn(code, typing: typed) } catch {
        return error
      }
      return nil
    }
    #expect(await refusal(nil) == .gate(.required))
    for _ in 1...4 {
      #expect(await refusal(Secret("red kettle")) == .gate(.wrong))
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        _ = try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
      }
    }
    #expect(await refusal(Secret("red kettle")) == .gate(.wrong))
    let end = world.now + .minutes(1)
    #expect(await refusal(Self.open) == .gate(.locked(until: end)))
    // The fifth guess of the app's own would lock it; the true passphrase still passes.
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.open)
  }

  @Test(
    "CHK-8, DUR-2: a locked link can be used again after 1 minute", arguments: Platform.allCases)
  func lockOfLink(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    let code = try await code(world)
    for _ in 1...5 {
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        _ = try await world.responses.$checkIn(code, typing: Secret("red kettle"))
      }
    }
    await expect(ClientError.gate(.locked(until: world.now + .minutes(1)))) {
      () throws(ClientError) in _ = try await world.responses.$checkIn(code, typing: Self.open)
    }
    world.advance(.minutes(1))
    _ = try await world.responses.$checkIn(code, typing: Self.open)
    #expect(try await sources(world) == [.link, .manual])
  }

  @Test(
    "CHK-8: guesses with unknown link codes don't lock the gate",
    arguments: Platform.allCases)
  func noLink(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    for _ in 1...9 { await expectDead("AAAAA-AAAAA", world) }
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.open)
  }

  @Test(
    "CHK-8: with the passphrase, links check in without limit and end a missed alert",
    arguments: Platform.allCases)
  func passphrase(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    for _ in 1...3 {
      world.advance(.hours(1))
      let checkedIn = try await world.responses.$checkIn(try await code(world), typing: Self.open)
      #expect(checkedIn.state == .checkedIn(world.now))
    }
    let code = try await code(world, .deadlinePassed)
    try await miss(world)
    _ = try await world.responses.$checkIn(code, typing: Self.open)
    #expect(try await !world.alerts.history(1)[0].alert.isActive)
    #expect(try await sources(world).prefix(4) == [.link, .link, .link, .link])
  }

  @Test(
    "CHK-8: under duress a link's page and the app look the same, but a silent alert is raised",
    arguments: Platform.allCases)
  func underDuress(_ platform: Platform) async throws {
    var shown: [[String]] = []
    for passphrase in [Self.open, Self.duress] {
      let world = try await makeWorld(platform, hasGate: true)
      let code = try await code(world)
      world.advance(.hours(1))
      let page = try await world.responses.$checkIn(code, typing: passphrase)
      let again = try await world.responses.checkInLink(code)
      let user = try await world.user.currentUser()
      let next = try await world.responses.checkInLink(try await self.code(world))
      let (sources, alerts) = (try await sources(world), try await world.alerts.history(5))
      let told = try await world.notifications.notifications(9, .all).map(\.kind)
      shown.append([
        "\(page)", "\(again)", "\(next)", "\(user.deadline) \(user.locks)", "\(sources)",
        "\(alerts.count)", "\(told)",
      ])
      let isOn = try await silentAlert(world) != nil
      #expect(isOn == (passphrase == Self.duress))
    }
    #expect(shown[0] == shown[1])
  }

  @Test(
    "CHK-8: with the gate removed under duress a press only seems to be passed on to responders",
    arguments: Platform.allCases)
  func seemsOpen(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    try await world.auth.$updateGate(nil, typing: Self.duress)
    let code = try await code(world, .deadlinePassed)
    #expect(try await world.responses.checkInLink(code).state == .ready)
    try await miss(world)
    let silent = try #require(try await silentAlert(world))
    let bo = try #require(try await world.contacts.contacts().first { !$0.isLinked })
    try await world.applyToIda(Plan(deliveries: [.alertOn(silent, to: bo)]))
    try await world.deliverAll()
    #expect(try await world.responses.checkIn(code).state == .passedOn(world.now))
    let told = try await world.deliverAll()
    #expect(!told.contains { $0.stage == .linkPressed })
    #expect(told.contains { $0.alert?.kind == .duress && $0.recipientName == "Bo" })
  }

  @Test(
    "CHK-8, CHK-3: during a silent alert a press without the passphrase only seems passed on",
    arguments: Platform.allCases)
  func passedOnUnderDuress(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    let code = try await code(world, .deadlinePassed)
    try await miss(world)
    let silent = try #require(try await silentAlert(world))
    let bo = try #require(try await world.contacts.contacts().first { !$0.isLinked })
    try await world.applyToIda(Plan(deliveries: [.alertOn(silent, to: bo)]))
    try await world.deliverAll()
    let page = try await world.responses.checkIn(code)
    #expect(page.state == .needsPassphrase && page.missed?.passedOnAt == world.now)
    let told = try await world.deliverAll()
    #expect(!told.contains { $0.stage == .linkPressed })
    #expect(told.contains { $0.alert?.kind == .duress && $0.recipientName == "Bo" })
  }

  // MARK: Interactions

  @Test(
    "CHK-6, CHK-8: a check-in by a link leaves a manual alert and a drill on",
    arguments: Platform.allCases, [true, false])
  func besideAlert(_ platform: Platform, _ isDrill: Bool) async throws {
    let world = try await makeWorld(platform)
    let code = try await code(world)
    if isDrill { _ = try await world.alerts.drill() } else { _ = try await world.alerts.raise("") }
    world.advance(.minutes(1))
    let page = try await world.responses.checkIn(code)
    #expect(page.state == .checkedIn(world.now) && page.isAlertOn == !isDrill)
    #expect(try await world.alerts.history(1)[0].alert.isActive)
  }

  @Test("CHK-8: responders see that the last check-in was by a link", arguments: Platform.allCases)
  func seen(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer("Cem")
    let theirs = try await world.befriend(peer, .responder).theirs
    func source() async throws -> CheckIn.Source? {
      try await peer.contact(theirs.id).link?.dependentStatus?.lastSource
    }
    #expect(try await source() == .manual)
    world.advance(.hours(1))
    _ = try await world.responses.checkIn(try await code(world))
    #expect(try await source() == .link)
    let export = try await world.transfer.exportAccount()
    #expect(export.checkIns.map(\.source) == [.manual, .link])
    #expect(export.user.locks == [], "off in every other store until it is chosen there")
    let copy = try AccountExport(decoding: export.encoded())
    #expect(copy.checkIns == export.checkIns)
    try await miss(world)
    let calls = try await world.alerts.history(1)[0].deliveries
    #expect(!calls.isEmpty)
  }
}

extension World {
  /// Applies a plan to Ida's account, whichever other accounts are due.
  fileprivate func applyToIda(_ plan: Plan) async throws {
    // An update without a change makes the account due.
    _ = try await user.updateProfile(user.currentUser().profile)
    let ida = try #require(try await monitor.due(now, 9).first { $0.user.profile.name == "Ida" })
    #expect(try await monitor.apply(plan, ida.user.id, ida.revision, now))
  }
}

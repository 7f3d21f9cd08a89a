import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// CHK-3: every gated operation with every state of the gate.
@Suite struct GatedOperationContractTests {
  static let gate = Gate(
    passphrase: Secret("blue kettle"), duress: Secret("green kettle"))
  static let operations = GatedOperation.allCases
  /// The operations that don't apply to a server: those on the machine itself, and on accounts
  /// without a password.
  static let ofMachine: [GatedOperation: Platform.OneMachine] = [
    .changeSecret: .monitorsGate, .restoreStore: .monitorsGate, .stopMonitor: .monitorsGate,
    .moveAccount: .moving,
    .changePassword: .passwordless,
  ]
  static let cases = operations.flatMap { operation in
    (ofMachine[operation].map(Platform.all) ?? Platform.allCases).map { ($0, operation) }
  }
  private static let topic = "https://ntfy.sh/bo"

  /// A person with a gate, and a responder whose topic needs a token.
  private func worldOfBo(_ platform: Platform) async throws -> (World, Contact) {
    let world = try World(platform)
    try await world.openAccount(responders: [
      ContactDraft(
        name: "Bo", channels: [ChannelDraft(.ntfy, Self.topic, token: Secret("tk_1"))],
        roles: .responder)
    ])
    try await world.auth.updateGate(Self.gate)
    return (world, try #require(try await world.contacts.contacts().first))
  }

  /// What asks is a matter of the rules, which know nothing of PostgreSQL: there, one operation
  /// shows that a gate which isn't set is read as none. At night all of them do.
  private static let ungated = cases.filter { platform, operation in
    isNight || operation == .checkIn || [.inMemory, .embedded, .shared].contains(platform)
  }

  @Test("CHK-3: without a gate no operation asks for a passphrase", arguments: ungated)
  func noGate(_ platform: Platform, _ operation: GatedOperation) async throws {
    let stage = try await Rehearsal(platform, operation)
    try await stage.perform(nil)
  }

  @Test(
    "CHK-3: a missing or wrong passphrase or a locked gate refuses every gated operation",
    arguments: cases)
  func refused(_ platform: Platform, _ operation: GatedOperation) async throws {
    let stage = try await Rehearsal(platform, operation)
    try await stage.world.auth.updateGate(Self.gate)
    let before = try await stage.state()
    #expect(await stage.refusal(nil) == .required)
    for _ in 1...4 { #expect(await stage.refusal(Secret("red kettle")) == .wrong) }
    #expect(try await stage.state() == before)
    #expect(await stage.refusal(Secret("red kettle")) == .wrong)
    let end = stage.world.now + .minutes(1)
    #expect(await stage.refusal(Secret("blue kettle")) == .locked(until: end))
    #expect(try await stage.state() == before)
    // DUR-2: an alert can still be raised.
    if operation != .cancelAlert { _ = try await stage.world.alerts.raise("help") }
    stage.world.advance(.minutes(1))
    if operation != .cancelAlert {
      _ = try await stage.world.alerts.$cancel(typing: Secret("blue kettle"))
    }
    try await stage.perform(Secret("blue kettle"))
    #expect(try await !stage.isSilentAlertOn())
  }

  @Test(
    "CHK-3: under duress each operation looks done, and the earlier responders get a silent alert",
    arguments: cases)
  func duress(_ platform: Platform, _ operation: GatedOperation) async throws {
    let stage = try await Rehearsal(platform, operation)
    let responders: Set = ["bo@example.org", "https://ntfy.sh/bo", "cem@example.org"]
    // What it looks like with the true passphrase is the same everywhere.
    let calm = try await Rehearsal(.inMemory, operation)
    for stage in [stage, calm] { try await stage.world.auth.updateGate(Self.gate) }
    try await stage.perform(Secret("green kettle"))
    try await calm.perform(Secret("blue kettle"))
    #expect(try await stage.isSilentAlertOn())
    let monitored = try await stage.monitored()
    let addressed = (monitored.responders + monitored.respondersKeptUnderDuress).flatMap(\.channels)
      .map(\.address)
    #expect(responders.isSubset(of: addressed))
    if operation != .deleteAccount { #expect(try await stage.shown() == calm.shown()) }
  }

  @Test(
    "CHK-3: each operation asks the person for its own passphrase, once, and does nothing without it",
    arguments: cases)
  func asked(_ platform: Platform, _ operation: GatedOperation) async throws {
    let stage = try await Rehearsal(platform, operation)
    let calm = try await Rehearsal(.inMemory, operation)
    for stage in [stage, calm] { try await stage.world.auth.updateGate(Self.gate) }
    let before = try await stage.state()
    // A passphrase for something else opens nothing.
    let other: GatedOperation = operation == .checkIn ? .pause : .checkIn
    let misplaced = TypedSecrets(for: other, passphrase: Secret("blue kettle"))
    await #expect(throws: ClientError.gate(.required)) {
      try await misplaced.during { try await stage.perform() }
    }
    let asked = Mutex<[SecretRequest]>([])
    let starts = Mutex(0)
    func perform(typing answer: String?) async throws {
      try await withDependencies {
        $0.secretPromptClient = SecretPromptClient(ask: { request in
          asked.withLock { $0.append(request) }
          return answer.map { Secret($0) }
        })
        $0.watchClient.start = { () async throws(StorageError) in starts.withLock { $0 += 1 } }
      } operation: {
        try await stage.perform()
      }
    }
    await #expect(throws: ClientError.gate(.required)) { try await perform(typing: nil) }
    #expect(asked.withLock { $0.map(\.kind) } == [.passphrase(operation)])
    #expect(starts.withLock { $0 } == 0)
    #expect(try await stage.state() == before)
    try await perform(typing: "blue kettle")
    #expect(
      asked.withLock { $0.map(\.kind) } == [.passphrase(operation), .passphrase(operation)])
    #expect(starts.withLock { $0 } == 1, "whatever was typed, somebody has to send")
    try await calm.perform(Secret("blue kettle"))
    #expect(try await !stage.isSilentAlertOn())
    if operation != .deleteAccount { #expect(try await stage.shown() == calm.shown()) }
  }

  @Test(
    "CHK-3: a responder removed under duress can respond until the silent alert ends",
    arguments: Platform.allCases)
  func keptResponder(_ platform: Platform) async throws {
    let (world, bo) = try await worldOfBo(platform)
    try await world.contacts.$delete(bo.id, typing: Secret("green kettle"))
    #expect(try await world.contacts.contacts() == [])
    let due = try await world.dueAccount()
    // Only silent messages go to Bo: the screen must not show someone who was removed.
    #expect(due.responders == [])
    #expect(due.respondersKeptUnderDuress.map(\.id) == [bo.id])
    let alert = try #require(due.alerts.first { $0.kind == .duress })
    try await world.apply(
      Plan(deliveries: [
        PlannedDelivery(
          occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(bo.id),
          recipientName: "Bo", channel: .ntfy, address: Self.topic)
      ]))
    let claimed = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 10))
    let call = try #require(claimed.first { $0.stage == .alertOn })
    #expect(call.secret == Secret("tk_1"))
    let answer = try await world.responses.respondByLink(try #require(call.code).value)
    #expect(answer.responder == "Bo")
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.dueAccount().respondersKeptUnderDuress == [])
  }

  @Test(
    "CHK-3: after a token is replaced under duress, the silent alert still uses the old token",
    arguments: Platform.allCases)
  func keptToken(_ platform: Platform) async throws {
    let (world, bo) = try await worldOfBo(platform)
    try await world.channels.$replaceSecret(
      bo.channels[0].id, Secret("tk_2"), typing: Secret("green kettle"))
    func secret(_ alert: Alert) async throws -> Secret<String>? {
      try await world.apply(
        Plan(deliveries: [
          PlannedDelivery(
            occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(bo.id),
            recipientName: "Bo", channel: .ntfy, address: Self.topic)
        ]))
      return try await world.deliverAll().first { $0.alert == alert }?.secret
    }
    let silent = try #require(try await world.dueAccount().alerts.first { $0.kind == .duress })
    #expect(try await secret(silent) == Secret("tk_1"))
    // Messages that the person can see use the secret that they see.
    #expect(try await secret(try await world.alerts.raise("")) == Secret("tk_2"))
    #expect(
      try await world.channels.$secret(bo.channels[0].id, typing: Secret("green kettle"))
        == Secret("tk_2"))
  }

  @Test(
    "CHK-3: a token replaced with the true passphrase is used for the silent alert, too",
    arguments: Platform.allCases)
  func newToken(_ platform: Platform) async throws {
    let (world, bo) = try await worldOfBo(platform)
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
    try await world.channels.$replaceSecret(
      bo.channels[0].id, Secret("tk_2"), typing: Secret("blue kettle"))
    let silent = try #require(try await world.dueAccount().alerts.first { $0.kind == .duress })
    try await world.apply(
      Plan(deliveries: [
        PlannedDelivery(
          occasion: .alert(silent.id), stage: .alertOn, recipient: .contact(bo.id),
          recipientName: "Bo", channel: .ntfy, address: Self.topic)
      ]))
    #expect(try await world.deliverAll().first { $0.alert == silent }?.secret == Secret("tk_2"))
  }

  @Test(
    "CHK-3: responders are notified of a longer interval and a removed channel",
    arguments: Platform.allCases)
  func notices(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, .responder)
    try await world.deliverAll()
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(12)))
    #expect(try await world.deliverAll() == [])
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(72)))
    let sent = try await world.deliverAll()
    #expect(Set(sent.map(\.address)) == ["bo@example.org", "cem@example.org"])
    #expect(sent.allSatisfy { $0.detail.hasPrefix("now checks in every") })
    #expect(try await peer.notifications.notifications(1, .all).first?.detail == sent.first?.detail)
    let hook = try await world.channels.add(
      ChannelDraft(.webhook, "https://hooks.example.org/x"), nil)
    try await world.channels.remove(hook.channel.id)
    #expect(
      Set(try await world.deliverAll().map(\.detail))
        == ["removed one of their own channels (webhook)"])
    // Both when the channel is edited away and when it is removed.
    for isEdited in [true, false] {
      let bo = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
      let added = try await world.channels.add(ChannelDraft(.ntfy, "https://ntfy.sh/bo"), bo.id)
      try await world.deliverAll()
      if isEdited {
        let read = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
        var draft = ContactDraft(read)
        draft.note = "has a key"
        draft.channels.removeAll { $0.kind == .ntfy }
        _ = try await world.contacts.update(read, draft)
      } else {
        try await world.channels.remove(added.channel.id)
      }
      let sent = try await world.deliverAll()
      #expect(Set(sent.map(\.detail)) == ["removed a channel of Bo (ntfy)"])
      #expect(Set(sent.map(\.address)) == ["bo@example.org", "cem@example.org"])
    }
  }

  @Test("CHK-3: setting up the first standby needs the passphrase", arguments: Platform.allCases)
  func firstStandby(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Self.gate)
    let standby = Standby(topic: "https://ntfy.sh/ida")
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.standby.update(standby)
    }
    try await world.standby.$update(standby, typing: Secret("blue kettle"))
    // Setting the same values again changes nothing.
    try await world.standby.update(standby)
  }

  // MARK: Strengthening

  @Test(
    "CHK-3: changes that strengthen protection don't ask for the passphrase",
    arguments: Platform.allCases)
  func strengthening(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(Self.gate)
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(12)))
    _ = try await world.user.updateEscalation([.minutes(30), .hours(2)], .zero, .minutes(30))
    _ = try await world.contacts.add(.cem)
    let bo = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
    var draft = ContactDraft(bo)
    draft.note = "has a key"
    draft.channels.append(ChannelDraft(.desktop, "desktop"))
    _ = try await world.contacts.update(bo, draft)
    try await world.standby.update(Standby())
    try await world.channels.setMuted(.reminders, user.id, false)
    _ = try await world.user.updateProfile(
      Profile(name: "Ida Berg", phone: "+4930123456", email: user.profile.email))
    _ = try await world.alerts.raise("help")
  }

  // MARK: Lock

  @Test(
    "DUR-2: from 1 hour before a deadline the gate is locked for at most 5 minutes",
    arguments: Platform.allCases)
  func shortLock(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(Self.gate)
    func tryWrong() async -> GateError? {
      do throws(ClientError) {
        _ = try await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
        return nil
      } catch { return error.gateError }
    }
    world.advance(.hours(22))
    for _ in 1...11 {
      if case .locked(let end) = await tryWrong() {
        world.advance(.seconds(Int(end.timeIntervalSince(world.now))))
        _ = await tryWrong()
      }
    }
    // Each wrong attempt now locks for long, but the lock is shortened in the last hour.
    let windowStart = World.start + .hours(23)
    while world.now < windowStart {
      guard case .locked(let end) = await tryWrong() else { continue }
      #expect(end <= max(world.now, windowStart) + .minutes(5))
      world.advance(.seconds(Int(end.timeIntervalSince(world.now))))
    }
    for _ in 1...3 {
      _ = await tryWrong()
      let error = await tryWrong()
      guard case .locked(let end) = error else { return #expect(error == .wrong) }
      #expect(end <= world.now + .minutes(5))
      world.advance(.minutes(5))
    }
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
  }

  @Test(
    "DUR-2: responders are notified when passphrase entry is locked", arguments: Platform.allCases)
  func lockIsSeen(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, .responder)
    try await world.deliverAll()
    try await world.auth.updateGate(Self.gate)
    for count in 1...5 {
      #expect(try await world.deliverAll() == [], "\(count)")
      _ = try? await world.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
    }
    let sent = try await world.deliverAll()
    #expect(Set(sent.map(\.address)) == ["bo@example.org", "cem@example.org"])
    #expect(Set(sent.map(\.detail)) == [ResponderNotice.locked])
    let seen = try await peer.notifications.notifications(1, .all)
    #expect(seen.first?.detail == ResponderNotice.locked)
  }

  @Test(
    "DUR-2: wrong passwords at sign-in don't affect existing sessions",
    arguments: Platform.allCases)
  func lockedAddress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.openPeer()
    let stranger = try world.second(account: "stranger@example.org")
    for _ in 1...6 {
      _ = try? await stranger.auth.signIn(
        Credentials(email: "bo@example.org", password: Secret("wrong wrong")))
    }
    _ = try await bo.checkIn.checkIn(.manual)
    try await bo.auth.updatePassword(Secret("four random words"), Secret("other random words"))
    _ = try await bo.alerts.raise("help")
  }
}

/// A gated operation with everything it needs.
private struct Rehearsal {
  let operation: GatedOperation
  let world: World
  let peer: World

  init(_ platform: Platform, _ operation: GatedOperation) async throws {
    self.operation = operation
    world = try World(platform)
    try await world.openAccount(responders: [
      ContactDraft(
        name: "Bo", email: "bo@example.org",
        channels: [ChannelDraft(.ntfy, "https://ntfy.sh/bo")], roles: .responder)
    ])
    peer = try await world.openPeer("Cem")
    try await world.befriend(peer, [.responder, .dependent])
    try await world.standby.update(Standby(topic: "https://ntfy.sh/ida"))
    _ = try await world.channels.add(ChannelDraft(.webhook, "https://hooks.example.org/x"), nil)
    world.advance(.minutes(5))
    switch operation {
    case .resume: _ = try await world.checkIn.pause(world.now + .days(2))
    case .extendOuting:
      _ = try await world.checkIn.startOuting(OutingDraft(end: "4h", zone: "UTC"))
    case .cancelAlert: _ = try await world.alerts.raise("help")
    case .answerPings:
      let ida = try #require(try await peer.contacts.contacts().first)
      _ = try await peer.pings.send(ida.id)
    default: break
    }
    _ = try await world.deliverAll()
  }

  private func contact(_ name: String) async throws -> Contact {
    try #require(try await world.contacts.contacts().first { $0.name == name })
  }

  /// Performs the operation with a passphrase that was typed before, or with none.
  func perform(_ passphrase: Secret<String>?) async throws {
    try await TypedSecrets(for: operation, passphrase: passphrase).during { try await perform() }
  }

  /// Performs the operation, which asks for what it needs.
  func perform() async throws {
    switch operation {
    case .checkIn: _ = try await world.checkIn.checkIn(.manual)
    case .pause: _ = try await world.checkIn.pause(world.now + .days(2))
    case .resume: _ = try await world.checkIn.resume(.manual)
    case .answerPings: _ = try await world.pings.answerAll()
    case .cancelAlert: _ = try await world.alerts.cancel()
    case .lengthenInterval:
      _ = try await world.checkIn.updateInterval(CheckInInterval(.days(30)))
    case .laterSchedule:
      _ = try await world.checkIn.updateSchedule(SetTimes(parsing: "sun 12:00", zone: "UTC"))
    case .letDeadlineWait:
      _ = try await world.checkIn.startOuting(
        OutingDraft(end: "3d", zone: "UTC", holdsDeadline: true))
    case .extendOuting:
      let outing = try #require(try await world.user.currentUser().outing)
      _ = try await world.checkIn.extendOuting(OutingExtension(outing, by: .hours(1)))
    case .weakenEscalation:
      _ = try await world.user.updateEscalation([], .hours(24), .hours(24))
    case .removeContact: try await world.contacts.delete(contact("Bo").id)
    case .weakenContact:
      let bo = try await contact("Bo")
      var draft = ContactDraft(bo)
      draft.channels.removeFirst()
      _ = try await world.contacts.update(bo, draft)
    case .delayResponder: _ = try await world.contacts.setWait(contact("Bo").id, .hours(24))
    case .removeRole:
      _ = try await world.contacts.setRoles(contact("Cem").id, .dependent)
    case .removeChannel:
      try await world.channels.remove(contact("Bo").channels[0].id)
    case .muteChannel:
      let own = try await world.channels.overview().own
      try await world.channels.setMuted(.reminders, own[0].id, true)
    case .showSecret:
      let own = try await world.channels.overview().own
      _ = try await world.channels.secret(own[1].id)
    case .allowLinks: _ = try await world.user.allowLinkCheckIn(true)
    case .allowSigns:
      // Without a gate they are turned on; with one, that is refused once the gate is passed.
      do { _ = try await world.user.allowSigns(true) } catch {
        guard error == .signsWithGate else { throw error }
      }
    case .replaceSecret:
      let bo = try await contact("Bo")
      let topic = try #require(bo.channels.first { $0.kind == .ntfy })
      try await world.channels.replaceSecret(topic.id, Secret("tk_2"))
    case .changeStandby: try await world.standby.update(Standby())
    case .changeAddress:
      _ = try await world.user.updateProfile(Profile(name: "Ida"))
    case .changePassword:
      try await world.auth.updatePassword(nil, Secret("correct horse"))
    case .changeGate:
      try await world.auth.updateGate(Gate(passphrase: Secret("red apple")))
    case .endSilentAlert: try await world.auth.endSilentAlert()
    case .deleteAccount: try await world.auth.deleteAccount(nil)
    case .importAccount:
      let export = try await world.transfer.exportAccount()
      _ = try await world.transfer.importAccount(export)
    case .moveAccount:
      do { _ = try await world.transfer.prepareMove() } catch {
        // Cem has an account, which is only reported once the gate is passed.
        guard error == .cannotMove(.linkedContacts(["Cem"])) else { throw error }
      }
    case .stopMonitor, .restoreStore, .changeSecret:
      try await world.auth.passGate(operation)
    }
  }

  /// The gate's error for a passphrase, or `nil`.
  func refusal(_ passphrase: Secret<String>?) async -> GateError? {
    do {
      try await perform(passphrase)
      return nil
    } catch { return gateError(error) }
  }

  /// The data that the person sees.
  func shown() async throws -> Shown {
    let contacts = try await world.contacts.contacts()
    let user = try await world.user.currentUser()
    return Shown(
      user: [
        "\(user.profile)", "\(user.interval)", "\(user.reminders)", "\(user.grace)",
        "\(user.deadline)", "\(user.locks)",
      ],
      contacts: contacts.map { "\($0.name) \($0.roles) \($0.channels.map(\.address))" },
      own: try await world.channels.overview().own.map(\.address),
      standby: try await world.standby.standby(),
      alerts: try await world.alerts.history(10).map { "\($0.alert.kind) \($0.alert.isActive)" })
  }

  struct Shown: Equatable {
    var user: [String]
    var contacts: [String]
    var own: [String]
    var standby: Standby
    var alerts: [String]
  }

  /// The data that a refused operation must not change.
  func state() async throws -> Shown { try await shown() }

  func monitored() async throws -> MonitoredAccount {
    let due = try await world.monitor.due(world.now, 10)
    return try #require(due.first { $0.user.profile.name.hasPrefix("Ida") })
  }

  func isSilentAlertOn() async throws -> Bool {
    try await world.monitor.due(world.now, 10)
      .contains { $0.alerts.contains { $0.kind == .duress && $0.isActive } }
  }
}

/// The gate's error within an error thrown by a client.
private func gateError(_ error: any Error) -> GateError? {
  (error as? ClientError)?.gateError
}

extension GatedOperationContractTests {
  @Test(
    "ALT-6: ending a silent alert when none is on doesn't end a drill", arguments: Platform.allCases
  )
  func nothingSilentToEnd(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    let drill = try await world.alerts.drill()
    let bo = try await world.contacts.contacts()[0]
    try await world.apply(Plan(deliveries: [.alertOn(drill, to: bo)]))
    try await world.auth.$endSilentAlert(typing: Secret("blue kettle"))
    #expect(try await world.alerts.history(9).map(\.alert.isActive) == [true])
    #expect(try await world.deliverAll().map(\.alert?.kind) == [.drill])
  }
}

import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("Relations between accounts", .timeLimit(.minutes(1)))
struct RelationContractTests {
  @Test(
    "CON-2: a relation counts only after the other person accepts", arguments: Platform.everywhere)
  func consent(_ platform: Platform) async throws {
    let ida = try World(platform)
    let user = try await ida.openAccount()
    let bo = try await ida.openPeer(phone: "+46731230044", note: "Sails.")
    let code = try await bo.user.currentUser().code
    #expect(try await ida.contacts.lookUp(code) == "Bo")

    let request = try await ida.contacts.request(code, [.responder, .dependent])
    #expect(request.name == "Bo" && request.roles == [.responder, .dependent])
    #expect(request.link?.state == .requested)
    #expect(try await ida.dueAccount(named: "Ida").responders == [])
    let offer = try await bo.contact(request.id)
    #expect(offer.name == "Ida" && offer.link?.state == .offered)
    #expect(offer.link?.user == user.id)

    let accepted = try await bo.contacts.accept(request.id)
    #expect(accepted.link?.state == .active)
    #expect(try await ida.contact(request.id).link?.state == .active)
    await expect(ClientError.contactNotFound) { () throws(ClientError) in
      try await bo.contacts.accept(request.id)
    }
  }

  @Test(
    "CON-2: own and unknown codes, duplicates and no role are refused, each with its own error",
    arguments: Platform.everywhere)
  func refusals(_ platform: Platform) async throws {
    let ida = try World(platform)
    let own = try await ida.openAccount().code
    let bo = try await ida.openPeer()
    let code = try await bo.user.currentUser().code
    await expect(ClientError.cannotAddSelf) { () throws(ClientError) in
      try await ida.contacts.request(own, .responder)
    }
    let unknown = AccountCode(UUID())
    await expect(ClientError.codeUnknown) { () throws(ClientError) in
      try await ida.contacts.lookUp(unknown)
    }
    await expect(ClientError.invalid(.roleRequired)) { () throws(ClientError) in
      try await ida.contacts.request(code, [])
    }
    #expect(try await ida.contacts.contacts() == [])
    _ = try await ida.contacts.request(code, .responder)
    await expect(ClientError.relationExists(name: "Bo")) { () throws(ClientError) in
      try await ida.contacts.request(code, .dependent)
    }
    await expect(ClientError.relationExists(name: "Ida")) { () throws(ClientError) in
      try await bo.contacts.request(own, .dependent)
    }
  }

  @Test("CON-2: a declined request shows as declined to its sender, who can ask again")
  func decline() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      try await ida.openAccount()
      let bo = try await ida.openPeer()
      let code = try await bo.user.currentUser().code
      let first = try await ida.contacts.request(code, .responder)
      try await bo.contacts.decline(first.id)
      #expect(try await bo.contacts.contacts() == [])
      #expect(try await ida.contact(first.id).link?.state == .declined)
      await expect(ClientError.contactNotFound) { () throws(ClientError) in
        try await bo.contacts.delete(first.id)
      }
      let again = try await ida.contacts.request(code, .responder)
      #expect(try await ida.contacts.contacts() == [again])
      #expect(try await bo.contact(again.id).link?.state == .offered)
    }
  }

  @Test(
    "CON-7: importing a contact with a linked responder's identifier reveals no address",
    arguments: Platform.everywhere)
  func importedIdentifier(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let topic = "https://ntfy.sh/only-bo-knows-this"
    _ = try await bo.channels.add(ChannelDraft(.ntfy, topic), nil)
    let (own, _) = try await ida.befriend(bo, .responder)
    let alert = try await ida.alerts.raise("help")
    let due = try await ida.dueAccount(named: "Ida")
    let message = PlannedDelivery(
      occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(own.id),
      recipientName: "Bo", channel: .ntfy, address: topic)
    _ = try await ida.monitor.apply(
      Plan(deliveries: [message]), due.user.id, due.revision, ida.now)
    func shown() async throws -> [String] {
      try await ida.alerts.history(5).flatMap(\.deliveries).map(\.address)
    }
    #expect(try await shown() == ["ntfy.sh"])

    var export = try await ida.transfer.exportAccount()
    export.contacts = [
      Contact(
        id: own.id, name: "Trick", roles: .responder,
        channels: [Channel(id: UUID(), kind: .email, address: "trick@example.org")],
        addedAt: ida.now)
    ]
    _ = try await ida.transfer.importAccount(export)
    #expect(try await shown() == ["ntfy.sh"])
    #expect(try await ida.contacts.contacts().count { $0.id == own.id } == 1)
    // Nor later, when only the messages to Bo are left.
    _ = try await ida.alerts.cancel()
    try await ida.contacts.delete(own.id)
    export.contacts[0].channels[0].address = "trick2@example.org"
    _ = try await ida.transfer.importAccount(export)
    #expect(try await shown() == ["ntfy.sh"])
  }

  @Test("CON-7: only an active relation gives access, and only to what the role needs")
  func access() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      let user = try await ida.openAccount()
      _ = try await ida.user.updateProfile(
        Profile(
          name: "Ida", phone: "+46701740605", note: "Asthma.", email: "ida@example.org",
          address: "4 Mill Lane", access: "Key with Bo."))
      let bo = try await ida.openPeer(phone: "+46731230044", note: "Private.")
      let code = try await bo.user.currentUser().code
      let id = try await ida.contacts.request(code, .responder).id

      for world in [ida, bo] {
        let pending = try await world.contact(id)
        #expect(pending.phone == nil && pending.note == "" && pending.link?.dependentStatus == nil)
        #expect(pending.channels == [])
      }
      _ = try await bo.contacts.accept(id)
      // The dependent sees the responder's name and phone.
      let responder = try await ida.contact(id)
      #expect(responder.roles == .responder)
      #expect(responder.phone == "+46731230044")
      #expect(responder.note == "" && responder.link?.dependentStatus == nil)
      // The responder sees everything that helps.
      let dependent = try await bo.contact(id)
      #expect(dependent.roles == .dependent)
      #expect(dependent.phone == "+46701740605" && dependent.note == "Asthma.")
      #expect(
        dependent.link?.dependentStatus
          == DependentStatus(
            interval: user.interval, lastCheckIn: user.lastCheckIn, grace: user.grace,
            lastSource: .manual, address: "4 Mill Lane"))
      #expect(try await ida.contact(id).link?.dependentStatus?.address == nil)

      // How to get in is for responders while an alert is on, and never in a drill.
      func access() async throws -> String? {
        try await bo.contact(id).link?.dependentStatus?.access
      }
      _ = try await ida.alerts.drill()
      #expect(try await access() == nil)
      _ = try await ida.alerts.raise("")
      #expect(try await access() == "Key with Bo.")
      _ = try await ida.alerts.cancel()
      #expect(try await access() == nil)
    }
  }

  @Test("CON-2: either side can end a relation at once", arguments: Platform.everywhere)
  func leave(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    for leaver in [ida, bo] {
      let id = try await ida.befriend(bo, .responder).own.id
      try await leaver.contacts.delete(id)
      #expect(try await ida.contacts.contacts() == [])
      #expect(try await bo.contacts.contacts() == [])
    }
  }

  @Test("CON-4: role changes apply to both sides; more access needs the other person's consent")
  func roles() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      try await ida.openAccount()
      let bo = try await ida.openPeer()
      let id = try await ida.befriend(bo, .responder).own.id
      await expect(ClientError.consentRequired(name: "Bo")) { () throws(ClientError) in
        try await ida.contacts.setRoles(id, [.responder, .dependent])
      }
      // Bo adds Ida as his responder, then stops responding for her.
      #expect(
        try await bo.contacts.setRoles(id, [.responder, .dependent]).link?.dependentStatus != nil)
      #expect(try await ida.contact(id).roles == [.responder, .dependent])
      _ = try await bo.contacts.setRoles(id, .responder)
      let left = try await ida.contact(id)
      #expect(left.roles == .dependent && left.link?.dependentStatus != nil)
      #expect(try await bo.contact(id).link?.dependentStatus == nil)
      await expect(ClientError.invalid(.roleRequired)) { () throws(ClientError) in
        try await bo.contacts.setRoles(id, [])
      }
    }
  }

  @Test("QR-1: resetting a code makes the old code unknown and keeps relations")
  func resetCode() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      try await ida.openAccount()
      let bo = try await ida.openPeer()
      let old = try await bo.user.currentUser().code
      let id = try await ida.befriend(bo, .responder).own.id
      let new = try await bo.contacts.resetCode()
      #expect(new != old)
      #expect(try await bo.user.currentUser().code == new)
      #expect(try await ida.contact(id).link?.state == .active)
      let cem = try await ida.openPeer("Cem")
      await expect(ClientError.codeUnknown) { () throws(ClientError) in
        try await cem.contacts.lookUp(old)
      }
      #expect(try await cem.contacts.lookUp(new) == "Bo")
    }
  }

  @Test(
    "CON-6: a responder sees changes of the dependent's name, check-in, interval and alerts",
    arguments: Platform.everywhere)
  func observe(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let id = try await ida.befriend(bo, .responder).own.id
    var seen = bo.contacts.observe().makeAsyncIterator()
    #expect(try await seen.next()?.first?.link?.dependentStatus?.alert == nil)

    _ = try await ida.user.updateProfile(Profile(name: "Ida Berg", email: "ida@example.org"))
    #expect(try await seen.next()?.first?.name == "Ida Berg")
    ida.advance(.hours(1))
    _ = try await ida.checkIn.checkIn(.manual)
    #expect(try await seen.next()?.first?.link?.dependentStatus?.lastCheckIn == ida.now)
    let interval = try CheckInInterval(.hours(48))
    _ = try await ida.checkIn.updateInterval(interval)
    #expect(try await seen.next()?.first?.link?.dependentStatus?.interval == interval)
    let alert = try await ida.alerts.raise("help")
    #expect(try await seen.next()?.first?.link?.dependentStatus?.alert == alert)
    _ = try await ida.alerts.cancel()
    #expect(try await seen.next()?.first?.link?.dependentStatus?.alert == nil)
    try await ida.contacts.delete(id)
    #expect(try await seen.next() == [])
  }

  @Test(
    "ESC-2: only calls to responders with an account say that they can respond in the app",
    arguments: Platform.everywhere)
  func answersInApp(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount(responders: [.cem])
    let bo = try await ida.openPeer()
    let own = try await ida.befriend(bo, .responder).own
    let cem = try #require(try await ida.contacts.contacts().first { $0.link == nil })
    let alert = try await ida.alerts.raise("")
    var bosOwn = own
    bosOwn.channels = [Channel(id: UUID(), kind: .email, address: "bo@example.org")]
    let account = try await ida.dueAccount(named: "Ida")
    _ = try await ida.monitor.apply(
      Plan(deliveries: [.alertOn(alert, to: bosOwn), .alertOn(alert, to: cem)]), account.user.id,
      account.revision, ida.now)
    let claimed = try await ida.monitor.claim(ida.now, .seconds(60), ClaimRequest(limit: 9))
    let answered = claimed.map { "\($0.recipientName) \($0.isAnsweredInApp)" }
    #expect(answered.sorted() == ["Bo true", "Cem false"])
    // Acknowledging in the app works, as the message says.
    _ = try await bo.alerts.acknowledge(alert.id)
  }

  @Test(
    "CON-1: a responder's account is notified at its own, current e-mail address",
    arguments: Platform.everywhere)
  func linkedResponder(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount(responders: [.cem])
    let bo = try await ida.openPeer()
    let id = try await ida.befriend(bo, .responder).own.id
    var responders = try await ida.dueAccount(named: "Ida").responders
    #expect(responders.map(\.name) == ["Bo", "Cem"])
    #expect(responders[0].id == id && responders[0].email == "bo@example.org")
    #expect(try await ida.dueAccount(named: "Bo").responders == [])

    _ = try await ida.settle("Ida")
    _ = try await bo.user.$updateProfile(
      Profile(name: "Bo", email: "new@example.org"), typing: nil,
      password: Secret("four random words"))
    responders = try await ida.dueAccount(named: "Ida").responders
    #expect(responders[0].email == "new@example.org")
    try await bo.contacts.delete(id)
    #expect(try await ida.dueAccount(named: "Ida").responders.map(\.name) == ["Cem"])
  }

  @Test(
    "AUTH-4: a deleted account disappears from its contacts' lists, and its code is unknown",
    arguments: Platform.everywhere)
  func erasedAccount(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let id = try await ida.befriend(bo, [.responder, .dependent]).own.id
    let code = try await bo.user.currentUser().code
    try await bo.auth.deleteAccount(Secret("four random words"))
    // The account's responders get mail that it was deleted.
    let left = try await ida.dueAccount(named: "Bo")
    #expect(left.responders.map(\.email) == ["ida@example.org"])
    #expect(left.user.deletedAt != nil)
    #expect(try await ida.contacts.contacts() == [])
    #expect(try await ida.dueAccount(named: "Ida").responders == [])
    await expect(ClientError.pingNotAllowed) { () throws(ClientError) in
      try await ida.pings.send(id)
    }
    await expect(ClientError.codeUnknown) { () throws(ClientError) in
      try await ida.contacts.lookUp(code)
    }
  }

  // MARK: Acknowledgements

  @Test("ESC-2: a responder's acknowledgement is shown to the person and to the other responders")
  func acknowledge() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      try await ida.openAccount()
      let bo = try await ida.openPeer()
      let cem = try await ida.openPeer("Cem")
      let id = try await ida.befriend(bo, .responder).own.id
      let other = try await ida.befriend(cem, .responder).own.id
      let alert = try await ida.alerts.raise("fell")
      ida.advance(.minutes(2))
      let word = Acknowledgement(responder: id, name: "Bo", date: ida.now)
      #expect(try await bo.alerts.acknowledge(alert.id).acknowledgements == [word])
      ida.advance(.minutes(1))
      // Acknowledging again changes nothing.
      #expect(try await bo.alerts.acknowledge(alert.id).acknowledgements == [word])
      #expect(try await ida.alerts.history(10).first?.alert.acknowledgements == [word])
      #expect(try await cem.contact(other).link?.dependentStatus?.alert?.acknowledgements == [word])
      #expect(
        try await ida.dueAccount(named: "Ida").alerts.map(\.acknowledgements) == [[word]])

      await expect(ClientError.alertNotActive) { () throws(ClientError) in
        try await ida.alerts.acknowledge(alert.id)
      }
      _ = try await ida.alerts.cancel()
      await expect(ClientError.alertNotActive) { () throws(ClientError) in
        try await cem.alerts.acknowledge(alert.id)
      }
    }
  }

  @Test(
    "CHK-3: responders see and acknowledge a silent alert; the person sees nothing of the alert")
  func silentAlert() async throws {
    for platform in Platform.everywhere {
      let ida = try World(platform)
      try await ida.openAccount()
      let bo = try await ida.openPeer()
      let id = try await ida.befriend(bo, .responder).own.id
      try await ida.auth.updateGate(
        Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
      let manual = try await ida.alerts.raise("fell")
      ida.advance(.minutes(1))
      _ = try await ida.alerts.$cancel(typing: Secret("green kettle"))
      // The silent alert continues in its place, with the message and acknowledgements.
      let silent = try #require(try await bo.contact(id).link?.dependentStatus?.alert)
      #expect(silent.kind == .duress && silent.message == "fell" && silent.id != manual.id)
      ida.advance(.minutes(1))
      #expect(try await bo.alerts.acknowledge(silent.id).acknowledgements.count == 1)
      #expect(
        try await ida.dueAccount(named: "Ida").alerts.map(\.acknowledgements.count) == [0, 1])
      let seen = try await ida.alerts.history(10)
      #expect(seen.map(\.alert.isActive) == [false])
      #expect(seen[0].alert.acknowledgements == [])
    }
  }
}

extension World {
  /// Reads one of several due accounts by name.
  func dueAccount(named name: String) async throws -> MonitoredAccount {
    try #require(try await monitor.due(now, 10).first { $0.user.profile.name == name })
  }

  /// Applies a plan to one account that leaves nothing due.
  fileprivate func settle(_ name: String) async throws -> Bool {
    let account = try await dueAccount(named: name)
    return try await monitor.apply(
      Plan(nextPlanning: now + .days(1)), account.user.id, account.revision, now)
  }
}

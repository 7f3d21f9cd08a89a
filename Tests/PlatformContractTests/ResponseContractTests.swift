import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ESC-2: ResponseClient", .timeLimit(.minutes(1)))
struct ResponseContractTests {
  /// A world in which Bo and Cem were sent an alert, with the codes of their messages.
  private func called(
    _ platform: Platform, stage: Stage = .alertOn
  ) async throws -> (World, Alert, codes: [String: String]) {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo, .cem])
    let alert = try await world.alerts.raise("")
    let codes = try await call(stage, of: alert, in: world)
    return (world, alert, codes)
  }

  private func call(
    _ stage: Stage, of alert: Alert, in world: World
  ) async throws -> [String: String] {
    let contacts = try await world.contacts.contacts()
    try await world.apply(
      Plan(
        deliveries: contacts.map { contact in
          var call = PlannedDelivery.alertOn(alert, to: contact)
          call.stage = stage
          return call
        }))
    let claimed = try await world.monitor.claim(
      world.now, .seconds(60), ClaimRequest(limit: 10))
    return Dictionary(
      uniqueKeysWithValues: claimed.map { ($0.recipientName, $0.code?.value ?? "") })
  }

  @Test(
    "ESC-2: each responder gets one code per alert, the same in every message about the alert",
    arguments: Platform.allCases)
  func codes(_ platform: Platform) async throws {
    let (world, alert, codes) = try await called(platform)
    let bo = try #require(codes["Bo"])
    #expect(bo.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/) != nil, "\(bo)")
    #expect(codes["Cem"] != bo)
    _ = try await world.contacts.add(ContactDraft(name: "Erik", roles: .dependent))
    try await world.contacts.delete(
      try #require(try await world.contacts.contacts().last { $0.name == "Erik" }).id)
    #expect(try await call(.alertOnAgain(1), of: alert, in: world) == codes)
    _ = try await world.alerts.cancel()
    let next = try await call(.alertOn, of: try await world.alerts.raise(""), in: world)
    #expect(next["Bo"] != bo)
  }

  @Test(
    "ESC-2, PAGE-1: looking up a code changes nothing and shows details while the alert is on",
    arguments: Platform.allCases)
  func looks(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    let (bo, cem) = (try #require(codes["Bo"]), try #require(codes["Cem"]))
    let user = try await world.user.currentUser()
    let before = try await world.responses.invitation(bo)
    #expect(try await world.responses.invitation(bo) == before)
    let alert = try await world.alerts.history(1)[0].alert
    #expect(alert.acknowledgements == [])
    #expect(
      before
        == ResponseInvitation(
          person: "Ida", responder: "Bo",
          call: ResponseInvitation.Call(
            alert: alert, phone: user.profile.phone, note: user.profile.note,
            lastCheckIn: user.lastCheckIn, lastSource: .manual)))
    _ = try await world.user.updateProfile(
      Profile(name: "Ida", email: "ida@example.org", address: "4 Mill Lane", access: "Key with Bo.")
    )
    let call = try #require(try await world.responses.invitation(bo).call)
    #expect(call.address == "4 Mill Lane" && call.access == "Key with Bo.")
    await expect(ClientError.responseCodeUnknown) { () async throws(ClientError) in
      try await world.responses.invitation("AAAAA-AAAAA")
    }
    _ = try await world.responses.respond(bo)
    #expect(try await world.responses.invitation(bo).hasResponded)
    let other = try await world.responses.invitation(cem)
    #expect(!other.hasResponded && other.responder == "Cem")
    #expect(other.call?.alert.acknowledgements.map(\.name) == ["Bo"])
    _ = try await world.alerts.cancel()
    for code in [bo, cem] {
      await expect(ClientError.alertEnded(person: "Ida")) { () async throws(ClientError) in
        try await world.responses.invitation(code)
      }
    }
  }

  @Test(
    "ESC-2: a code in any case and spacing acknowledges the alert once",
    arguments: Platform.allCases)
  func acknowledges(_ platform: Platform) async throws {
    let (world, alert, codes) = try await called(platform)
    let bo = try #require(codes["Bo"])
    let typed = " " + bo.lowercased().replacing("-", with: " ").replacing("0", with: "o")
    let response = try await world.responses.respond(typed)
    #expect(
      response
        == Response(kind: .acknowledged, person: "Ida", responder: "Bo", isAboutUser: true))
    #expect(try await world.responses.respond(bo) == response)
    let words = try await world.alerts.history(1)[0].alert.acknowledgements
    #expect(words.map(\.name) == ["Bo"])
    #expect(words.map(\.date) == [world.now])
    let told = try await world.notifications.notifications(9, .all)
    #expect(told.count { $0.kind == .alertAcknowledged && $0.subject == "Bo" } == 1)
    #expect(try await world.dueAccount().alerts[0].acknowledgements == words)
    _ = alert
  }

  @Test(
    "PAGE-1: withdrawing a response notifies everyone who was sent the response",
    arguments: Platform.allCases)
  func withdraws(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    let (bo, cem) = (try #require(codes["Bo"]), try #require(codes["Cem"]))
    // There is nothing to withdraw yet.
    try await world.responses.withdraw(bo)
    #expect(try await world.notifications.notifications(9, .all).count { $0.subject == "Bo" } == 0)
    for turn in 0..<2 {
      _ = try await world.responses.respondByLink(bo)
      #expect(try await world.alerts.history(1)[0].withdrawals == [])
      let word = try #require(try await world.alerts.history(1)[0].alert.acknowledgements.first)
      let account = try await world.dueAccount()
      #expect(account.alerts[0].acknowledgements == [word])
      let cems = try #require(try await world.contacts.contacts().first { $0.name == "Cem" })
      var message = PlannedDelivery.alertOn(account.alerts[0], to: cems)
      (message.stage, message.detail) = (.acknowledged(word.identity), "Bo")
      var own = message
      (own.recipient, own.recipientName, own.address) = (.owner, "Ida", "ida@example.org")
      try await world.apply(Plan(deliveries: [message, own]))
      let sent = try await world.deliverAll().filter { $0.stage == message.stage }
      #expect(sent.count == 2, "a second word has messages of its own")
      world.advance(.minutes(1))
      for _ in 0..<2 { try await world.responses.withdraw(bo) }
      let report = try await world.alerts.history(1)[0]
      #expect(report.alert.acknowledgements == [])
      #expect(
        report.withdrawals == [Withdrawal(responder: word.responder, name: "Bo", date: world.now)])
      #expect(try await world.dueAccount().alerts[0].acknowledgements == [])
      let taken = try await world.deliverAll().filter {
        $0.stage == .withdrawn(word.identity)
      }
      #expect(taken.count == 2)
      #expect(Set(taken.map(\.recipientName)) == ["Cem", "Ida"])
      #expect(taken.allSatisfy { $0.detail == "Bo" && $0.inReplyTo != nil })
      let page = try await world.responses.invitation(bo)
      #expect(!page.hasResponded && page.hasWithdrawn)
      #expect(try await world.responses.invitation(cem).call?.alert.acknowledgements == [])
      let shown = try await world.notifications.notifications(9, .all)
      let notices = shown.filter { $0.kind == .alertWithdrawn }.map(\.subject)
      #expect(notices == Array(repeating: "Bo", count: turn + 1))
    }
    _ = try await world.alerts.cancel()
    await expect(ClientError.alertEnded(person: "Ida")) { () throws(ClientError) in
      try await world.responses.withdraw(bo)
    }
  }

  @Test(
    "PAGE-1, CHK-3: the person sees nothing when a response to a silent alert is withdrawn",
    arguments: Platform.allCases)
  func withdrawsSilently(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("rain in Spain")))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("rain in Spain"))
    let alert = try #require(try await world.dueAccount().alerts.first)
    let bo = try #require(try await call(.alertOn, of: alert, in: world)["Bo"])
    let before = try await world.notifications.notifications(9, .all)
    let reports = try await world.alerts.history(9)
    _ = try await world.responses.respondByLink(bo)
    try await world.responses.withdraw(bo)
    #expect(try await world.dueAccount().alerts[0].acknowledgements == [])
    #expect(try await world.notifications.notifications(9, .all) == before)
    #expect(try await world.alerts.history(9) == reports)
    #expect(try await world.deliverAll().filter { $0.recipient == .owner } == [])
  }

  @Test(
    "CHK-3: a silent alert can be acknowledged only on the page, unseen by the person",
    arguments: Platform.allCases)
  func silent(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("rain in Spain")))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("rain in Spain"))
    let alert = try #require(try await world.dueAccount().alerts.first)
    let codes = try await call(.alertOn, of: alert, in: world)
    let before = try await world.notifications.notifications(9, .all)
    let bo = try #require(codes["Bo"])
    // The code is unknown where the person is signed in, and where nobody is, since they may have
    // been forced to sign out.
    for program in [world, try world.second(account: "nobody@example.org")] {
      for _ in 0..<2 {
        await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
          try await program.responses.respond(bo)
        }
      }
    }
    #expect(try await world.responses.respondByLink(bo).responder == "Bo")
    #expect(try await world.notifications.notifications(9, .all) == before)
    #expect(try await world.dueAccount().alerts[0].acknowledgements.map(\.name) == ["Bo"])
  }

  @Test(
    "CHK-3: the code of an alert cancelled under duress responds to the silent alert on the page",
    arguments: Platform.allCases)
  func endedUnderDuress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("rain in Spain")))
    let alert = try await world.alerts.raise("")
    let bo = try #require(try await call(.alertOn, of: alert, in: world)["Bo"])
    _ = try await world.alerts.$cancel(typing: Secret("rain in Spain"))
    for program in [world, try world.second(account: "nobody@example.org")] {
      await expect(ClientError.alertEnded(person: "Ida")) { () throws(ClientError) in
        try await program.responses.respond(bo)
      }
    }
    #expect(try await world.responses.invitation(bo).call?.alert.kind == .duress)
    #expect(try await world.responses.respondByLink(bo).responder == "Bo")
    let silent = try #require(try await world.dueAccount().alerts.first { $0.kind == .duress })
    #expect(silent.acknowledgements.map(\.name) == ["Bo"])
    let shown = try await world.auth.$silentAlert(typing: Secret("open sesame"))
    #expect(shown?.acknowledgements == silent.acknowledgements)
    #expect(try await world.alerts.history(1)[0].alert.acknowledgements.isEmpty)
    try await world.auth.$endSilentAlert(typing: Secret("open sesame"))
    await expect(ClientError.alertEnded(person: "Ida")) { () throws(ClientError) in
      try await world.responses.respondByLink(bo)
    }
  }

  @Test(
    "ALT-9: a responder removed under duress responds to the silent alert, unseen by the person",
    arguments: Platform.allCases)
  func removedUnderDuress(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("rain in Spain")))
    let bo = try #require(codes["Bo"])
    let contact = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
    try await world.contacts.$delete(contact.id, typing: Secret("rain in Spain"))
    let before = try await world.notifications.notifications(9, .all)
    // The same as for someone who was removed with the real passphrase.
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      try await world.responses.respond(bo)
    }
    #expect(try await world.responses.respondByLink(bo).responder == "Bo")
    #expect(try await world.notifications.notifications(9, .all) == before)
    #expect(try await world.alerts.history(1)[0].alert.acknowledgements.isEmpty)
    let silent = try #require(try await world.dueAccount().alerts.first { $0.kind == .duress })
    #expect(silent.acknowledgements.map(\.name) == ["Bo"])
  }

  @Test(
    "ESC-2: responding to an ended alert fails and says that the alert is over",
    arguments: Platform.allCases)
  func ended(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    _ = try await world.alerts.cancel()
    let bo = try #require(codes["Bo"])
    await expect(ClientError.alertEnded(person: "Ida")) { () throws(ClientError) in
      try await world.responses.respond(bo)
    }
  }

  @Test(
    "ESC-2: the code of a removed contact is unknown",
    arguments: Platform.allCases)
  func removed(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    let contact = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
    try await world.contacts.delete(contact.id)
    let bo = try #require(codes["Bo"])
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      try await world.responses.respond(bo)
    }
  }

  @Test(
    "AUTH-3: five wrong reply codes lock further guesses, but a right code still works",
    arguments: Platform.allCases)
  func wrong(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    for _ in 1...5 {
      await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
        try await world.responses.respond("00000-00000")
      }
    }
    let end = world.now + .minutes(1)
    await expect(ClientError.tooManyCodes(until: end)) { () throws(ClientError) in
      try await world.responses.respond("00000-00001")
    }
    #expect(try await world.responses.respond(codes["Cem"] ?? "").responder == "Cem")
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      try await world.responses.respond("")
    }
  }

  @Test("A responder can respond without being signed in", arguments: Platform.allCases)
  func signedOut(_ platform: Platform) async throws {
    let (world, _, codes) = try await called(platform)
    let stranger = try world.second(account: "nobody@example.org")
    #expect(try await stranger.responses.respond(codes["Bo"] ?? "").responder == "Bo")
  }
}

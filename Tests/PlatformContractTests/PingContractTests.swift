import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("PingClient", .timeLimit(.minutes(1)))
struct PingContractTests {
  /// Ida and her responder Bo. The contact has the same identifier on both sides.
  private func cast(_ platform: Platform) async throws -> (ida: World, bo: World, id: Contact.ID) {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    return (ida, bo, try await ida.befriend(bo, .responder).own.id)
  }

  @Test(
    "PNG-1: only a responder can ping a dependent, with one open ping at a time",
    arguments: Platform.allCases)
  func send(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    let ping = try await bo.pings.send(id)
    #expect(ping.sentAt == bo.now && ping.state == .open)
    #expect(try await bo.contact(id).link?.sentPing == ping)
    #expect(try await ida.contact(id).link?.receivedPing == ping)
    await expect(ClientError.pingAlreadyOpen(name: "Ida")) { () throws(ClientError) in
      try await bo.pings.send(id)
    }
    // Ida isn't Bo's responder.
    await expect(ClientError.pingNotAllowed) { () throws(ClientError) in
      try await ida.pings.send(id)
    }
    // A contact without an account can't be pinged.
    let outside = try await bo.contacts.add(ContactDraft(name: "Erik", roles: .dependent))
    await expect(ClientError.pingNotAllowed) { () throws(ClientError) in
      try await bo.pings.send(outside.id)
    }
  }

  @Test("PNG-1: nobody can ping before the relation is accepted", arguments: Platform.allCases)
  func pending(_ platform: Platform) async throws {
    let ida = try World(platform)
    let code = try await ida.openAccount().code
    let bo = try await ida.openPeer()
    let id = try await bo.contacts.request(code, .dependent).id
    await expect(ClientError.pingNotAllowed) { () throws(ClientError) in try await bo.pings.send(id)
    }
  }

  @Test(
    "PNG-2: answering a ping is a check-in, and the sender sees the answer",
    arguments: Platform.allCases)
  func answer(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    let ping = try await bo.pings.send(id)
    ida.advance(.hours(2))
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await bo.pings.answer(ping.id)
    }
    let user = try await ida.pings.answer(ping.id)
    #expect(user.lastCheckIn == ida.now)
    #expect(try await ida.checkIn.history(1).map(\.source) == [.pingAnswer])
    let answered = try await bo.contact(id).link?.sentPing
    #expect(answered?.state == .answered && answered?.endedAt == ida.now)
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await ida.pings.answer(ping.id)
    }
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await ida.pings.answerAll()
    }
    // Another ping can be sent.
    _ = try await bo.pings.send(id)
  }

  @Test(
    "PNG-2: answering all pings is one check-in, and every sender sees the answer",
    arguments: Platform.allCases)
  func answerAll(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    let cem = try await ida.openPeer("Cem")
    let other = try await ida.befriend(cem, [.responder, .dependent]).own.id
    _ = try await bo.pings.send(id)
    _ = try await cem.pings.send(other)
    let own = try await ida.pings.send(other)
    ida.advance(.minutes(5))
    let history = try await ida.checkIn.history(10).count
    _ = try await ida.pings.answerAll()
    #expect(try await ida.checkIn.history(10).count == history + 1)
    #expect(try await bo.contact(id).link?.sentPing?.state == .answered)
    #expect(try await cem.contact(other).link?.sentPing?.state == .answered)
    // Ida's own ping is still open.
    #expect(try await cem.contact(other).link?.receivedPing == own)
  }

  @Test("PNG-2: only the sender can withdraw an open ping", arguments: Platform.allCases)
  func withdraw(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    let ping = try await bo.pings.send(id)
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await ida.pings.withdraw(ping.id)
    }
    ida.advance(.minutes(1))
    let withdrawn = try await bo.pings.withdraw(ping.id)
    #expect(withdrawn.state == .withdrawn && withdrawn.endedAt == ida.now)
    #expect(try await ida.contact(id).link?.receivedPing == withdrawn)
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await bo.pings.withdraw(ping.id)
    }
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await ida.pings.answer(ping.id)
    }
  }

  @Test("PNG-1: an open ping expires after 24 hours", arguments: Platform.allCases)
  func expiry(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    let ping = try await bo.pings.send(id)
    ida.advance(.seconds(24 * 3_600 - 1))
    #expect(try await ida.contact(id).link?.receivedPing?.state == .open)
    ida.advance(.seconds(1))
    // It has expired by the clock, both before (ORD-2) and after the store records it.
    for _ in 0..<2 {
      let expired = try await ida.contact(id).link?.receivedPing
      #expect(expired?.state == .expired && expired?.endedAt == ping.sentAt + .hours(24))
      await expect(ClientError.pingNotOpen) { () throws(ClientError) in
        try await ida.pings.answer(ping.id)
      }
      _ = try await ida.monitor.heartbeat(UUID(), ida.now, .minutes(1), nil)
    }
    #expect(try await bo.pings.send(id).id != ping.id)
  }

  @Test("CON-4: a ping that a role change forbids is withdrawn", arguments: Platform.allCases)
  func roleChange(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let id = try await ida.befriend(bo, [.responder, .dependent]).own.id
    let fromIda = try await ida.pings.send(id)
    _ = try await bo.pings.send(id)
    _ = try await ida.contacts.setRoles(id, .dependent)
    let link = try await ida.contact(id).link
    #expect(link?.receivedPing?.state == .withdrawn)
    #expect(link?.sentPing == fromIda)
    await expect(ClientError.pingNotOpen) { () throws(ClientError) in
      try await ida.pings.answerAll()
    }
  }

  @Test("CHK-3: answering a ping needs the gate's passphrase", arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let (ida, bo, id) = try await cast(platform)
    try await ida.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    let ping = try await bo.pings.send(id)
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await ida.pings.answer(ping.id)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await ida.pings.$answerAll(typing: Secret("red kettle"))
    }
    #expect(try await bo.contact(id).link?.sentPing?.state == .open)
    ida.advance(.minutes(1))
    #expect(
      try await ida.pings.$answer(ping.id, typing: Secret("green kettle")).lastCheckIn == ida.now)
    let seen = try await bo.contact(id).link
    #expect(seen?.sentPing?.state == .answered)
    #expect(seen?.dependentStatus?.alert?.kind == .duress)
  }
}

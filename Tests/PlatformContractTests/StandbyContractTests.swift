import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("WCH-2: StandbyClient", .timeLimit(.minutes(1)))
struct StandbyContractTests {
  private static let both = Standby(
    heartbeat: "https://hc-ping.com/ada", topic: "https://ntfy.sh/ada")

  @Test(
    "No standby is set until the person chooses a heartbeat or topic", arguments: Platform.allCases)
  func update(_ platform: Platform) async throws {
    let world = try World(platform)
    await expect(ClientError.notAuthenticated, world.standby.standby)
    await expect(ClientError.notAuthenticated) { () async throws(ClientError) in
      try await world.standby.update(Self.both)
    }
    try await world.openAccount()
    #expect(try await world.standby.standby() == Standby())
    #expect(try await world.standby.duties() == [])
    try await world.standby.update(Self.both)
    #expect(try await world.standby.standby() == Self.both)
    try await world.standby.update(Standby(topic: Self.both.topic))
    #expect(try await world.standby.standby() == Standby(topic: Self.both.topic))
  }

  @Test(
    "An invalid heartbeat or topic address is refused and changes nothing",
    arguments: Platform.allCases)
  func refuses(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.standby.update(Self.both)
    await expect(ClientError.invalid(.webAddress)) { () async throws(ClientError) in
      try await world.standby.update(Standby(heartbeat: "http://example.org/"))
    }
    await expect(ClientError.invalid(.topic)) { () async throws(ClientError) in
      try await world.standby.update(Standby(topic: "https://ntfy.sh/"))
    }
    #expect(try await world.standby.standby() == Self.both)
  }

  @Test(
    "A monitor gets each standby's deadline and its waiting message", arguments: Platform.allCases)
  func duties(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    try await world.standby.update(Self.both)
    var duty = StandbyDuty(
      account: user.id, name: "Ida", deadline: user.deadline, standby: Self.both)
    #expect(try await world.standby.duties() == [duty])
    duty.waiting = WaitingMessage(topic: "https://ntfy.sh/ada", date: world.now + .hours(24))
    try await world.standby.record(user.id, duty.waiting)
    #expect(try await world.standby.duties() == [duty])
    world.advance(.hours(1))
    duty.deadline = try await world.checkIn.checkIn(.manual).deadline
    #expect(try await world.standby.duties() == [duty])
    try await world.standby.update(Standby())
    duty.standby = Standby()
    #expect(try await world.standby.duties().first?.waiting == duty.waiting)
    try await world.standby.record(user.id, nil)
    #expect(try await world.standby.duties() == [])
  }

  @Test(
    "WCH-2: the watch status shows a standby service's last answer until the service changes",
    arguments: Platform.allCases)
  func answers(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    #expect(try await world.watch.status().standby == nil)
    try await world.standby.update(Self.both)
    var status = try #require(try await world.watch.status().standby)
    #expect(status == StandbyStatus(Self.both) && !status.works(at: world.now))
    #expect(status.heartbeat == "hc-ping.com" && status.topic == "ntfy.sh")
    try await world.standby.recordAnswer(user.id, .heartbeat, "the service is gone (404)")
    try await world.standby.recordAnswer(user.id, .message, "")
    try await world.standby.record(
      user.id, WaitingMessage(topic: "https://ntfy.sh/ada", date: world.now + .hours(24)))
    #expect(
      try await world.standby.duties().map(\.answers)
        == [[.heartbeat: "the service is gone (404)", .message: ""]])
    let watch = try await world.watch.status()
    #expect(watch.notice == "hc-ping.com doesn't take the heartbeat: the service is gone (404).")
    status = try #require(watch.standby)
    #expect(status.message(at: world.now) == world.now + .hours(24))
    #expect(status.message(at: world.now + .hours(24)) == nil)
    try await world.standby.recordAnswer(user.id, .heartbeat, "")
    #expect(try await world.watch.status().notice == nil)
    #expect(try await world.watch.status().standby?.heartbeatWorks == true)
    // What another service said says nothing about this one.
    try await world.standby.update(
      Standby(heartbeat: "https://hc.example.org/ada", topic: Self.both.topic))
    status = try #require(try await world.watch.status().standby)
    #expect(status.heartbeatAnswer == nil && status.topicAnswer == "")
  }

  @Test(
    "WCH-2: a monitor knows the kinds of channel that responders are notified by",
    arguments: Platform.allCases)
  func kinds(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.standby.update(Self.both)
    #expect(try await world.standby.duties().map(\.kinds) == [[.email]])
    _ = try await world.contacts.add(
      ContactDraft(
        name: "Cy", channels: [ChannelDraft(.webhook, "https://example.org/cy")],
        roles: .responder))
    _ = try await world.contacts.add(
      ContactDraft(
        name: "Di", channels: [ChannelDraft(.ntfy, "https://ntfy.sh/di")],
        roles: .dependent))
    #expect(try await world.standby.duties().map(\.kinds) == [[.email, .webhook]])
  }

  @Test(
    "Deleting an account leaves only its waiting standby message, to be cancelled",
    arguments: Platform.allCases)
  func deletion(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    try await world.standby.update(Self.both)
    let waiting = WaitingMessage(topic: "https://ntfy.sh/ada", date: world.now + .hours(24))
    try await world.standby.record(user.id, waiting)
    try await world.auth.deleteAccount(nil)
    let duty = try #require(try await world.standby.duties().first)
    #expect(duty.standby == Standby() && duty.waiting == waiting)
    #expect(duty.steps(at: world.now) == [.cancel(waiting)])
    #expect(duty.kinds == [])
  }
}

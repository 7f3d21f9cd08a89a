import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CHN-2: channels whose recipient has moved", .timeLimit(.minutes(1)))
struct ChannelMoveContractTests {
  private static let old = "telegram:-4711"
  private static let new = "telegram:-1001557912345"

  private func opened(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.contacts.add(
      ContactDraft(
        name: "Bo", channels: [ChannelDraft(.service, Self.old, token: Secret("{}"))],
        roles: .responder))
    _ = try await world.deliverAll()
    return world
  }

  @Test(
    "CHN-2: a moved group's channel and pending messages get its new address; none is sent twice",
    arguments: Platform.allCases)
  func moved(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let before = try await world.contacts.contacts()[0].channels[0]
    for _ in 0..<2 { try await world.channels.sendTest(before.id) }
    try await world.apply(Plan())
    let claimed = try await world.monitor.claim(
      world.now, .seconds(60), ClaimRequest(limit: 10, retryLimit: 10))
    #expect(claimed.map(\.address) == [Self.old, Self.old])
    try await world.monitor.moveChannel(claimed[0].id, claimed[0].token, Self.new)
    #expect(
      try await world.monitor.record(claimed[0].id, claimed[0].token, .sent, nil, world.now))
    let after = try await world.contacts.contacts()[0].channels[0]
    #expect(after.id == before.id && after.address == Self.new)
    #expect(try await world.channels.overview().health(of: after.id) != .unused)
    let note = try #require(
      try await world.notifications.notifications(20, NotificationFilter()).first {
        $0.kind == .info
      })
    #expect(note.detail.contains(Self.old) && note.detail.contains(Self.new))
    // The message that was claimed before the move ends as one to the new address.
    #expect(
      try await world.monitor.record(
        claimed[1].id, claimed[1].token, .retry(reason: "busy", after: nil), world.now, world.now))
    #expect(try await world.deliverAll().map(\.address) == [Self.new])
    // The next message goes there, with the same secret.
    try await world.channels.sendTest(after.id)
    let test = try #require(try await world.deliverAll().first)
    #expect(test.address == Self.new && test.secret == Secret("{}"))
  }

  @Test(
    "CHN-2: a move to another service, a used or empty address, or without the claim is ignored",
    arguments: Platform.allCases)
  func refused(_ platform: Platform) async throws {
    let world = try await opened(platform)
    _ = try await world.contacts.add(
      ContactDraft(
        name: "Cy", channels: [ChannelDraft(.service, Self.new, token: Secret("{}"))],
        roles: .dependent))
    let channel = try #require(try await world.contacts.contacts().first { $0.name == "Bo" })
      .channels[0]
    try await world.channels.sendTest(channel.id)
    try await world.apply(Plan())
    let call = try #require(
      try await world.monitor.claim(
        world.now, .seconds(60), ClaimRequest(limit: 10, retryLimit: 10)
      ).first { $0.address == Self.old })
    for (token, address) in [
      (call.token, "signal:x"), (call.token, Self.new), (UUID(), "telegram:-9"),
      (call.token, "telegram:"),
    ] { try await world.monitor.moveChannel(call.id, token, address) }
    let bo = try await world.contacts.contacts().first { $0.name == "Bo" }
    #expect(bo?.channels.map(\.address) == [Self.old])
  }
}

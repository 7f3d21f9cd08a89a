import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// CHN-3 with a running monitor: the person mutes topics while it watches.
@MainActor @Suite struct TopicLifeTests {
  let world = World()

  @Test("CHN-3: a muted reminder isn't sent; the passed deadline and the responders' messages are")
  func aDay() async throws {
    try await world.openAccount(
      responders: ["Bob"], email: "ada@example.org", reminders: [.hours(2), .minutes(30)])
    let channels = world.clients.channelsClient
    _ = try await channels.add(ChannelDraft(.desktop, ""), nil)
    let mail = try await channels.overview().own[0].id
    try await channels.setMuted(.reminders, mail, true)
    let monitor = world.monitor()
    await world.live(monitor, until: world.deadline - .hours(1))
    #expect(kinds() == ["reminder:7200 desktop"])
    // From here on the topic is muted everywhere.
    for channel in try await channels.overview().own {
      try await channels.setMuted(.reminders, channel.id, true)
    }
    await world.live(monitor, until: world.deadline + .minutes(20))
    #expect(
      kinds() == [
        "reminder:7200 desktop", "deadline_passed email", "deadline_passed desktop",
        "non_responsive email",
      ])
    // The screen showed both reminders anyway (NOT-1).
    let items = try await world.clients.notificationClient.notifications(10, .all)
    #expect(items.count { $0.kind == .reminder } == 2)
  }

  @Test("CHN-3: muting reminders gives up a reminder that its server has refused so far")
  func queued() async throws {
    try await world.openAccount(
      responders: ["Bob"], email: "ada@example.org", reminders: [.hours(2)])
    world.mailbox.answer { _ in .retry(reason: "busy", after: nil) }
    let monitor = world.monitor()
    await world.live(monitor, until: world.deadline - .hours(1))
    let attempts = world.mailbox.attempts.count
    #expect(attempts > 1)
    let channels = world.clients.channelsClient
    let mail = try await channels.overview().own[0].id
    try await channels.setMuted(.reminders, mail, true)
    await world.live(monitor, until: world.deadline - .minutes(1))
    #expect(world.mailbox.attempts.count == attempts)
    #expect(try await channels.log(mail).map(\.state) == [.cancelled])
  }

  private func kinds() -> [String] {
    world.mailbox.attempts.map { "\($0.stage.storageKey) \($0.channel.rawValue)" }
  }
}

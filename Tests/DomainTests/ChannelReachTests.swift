import FoundationEssentials
import Testing

@testable import Domain

@Suite("CHN-1 Channels of contacts")
struct ChannelReachTests {
  private func contact(_ name: String, _ seconds: Double, _ addresses: String...) -> Contact {
    Contact(
      id: UUID(), name: name, roles: .responder,
      channels: addresses.map { Channel(id: UUID(), kind: .email, address: $0) },
      addedAt: Date(timeIntervalSince1970: seconds))
  }

  @Test("An address that two contacts share is used once, for the contact that was added first")
  func once() {
    let contacts = [
      contact("Ada", 30, "a@example.org", "b@example.org"), contact("Bo", 10, "B@example.org"),
      contact("Cem", 20, "c@example.org", "C@EXAMPLE.org"),
    ]
    let told = contacts.withUniqueAddresses
    #expect(
      told.map { $0.channels.map(\.address) } == [
        ["a@example.org"], ["B@example.org"], ["c@example.org"],
      ])
    #expect(told.map(\.name) == ["Ada", "Bo", "Cem"])
  }

  @Test("A webhook and an ntfy topic with the same URL count as different addresses")
  func kinds() {
    let one = Channel(id: UUID(), kind: .webhook, address: "https://ntfy.sh/x")
    let other = Channel(id: UUID(), kind: .ntfy, address: "https://ntfy.sh/x")
    #expect(!one.hasSameAddress(as: other))
  }

  @Test(
    "The short form of a channel's address leaves out a webhook's path and key",
    arguments: [
      (.email, "a@example.org", "a@example.org"),
      (.webhook, "https://hooks.example.org:8443/x?key=1", "hooks.example.org:8443"),
      (.webhook, "https://hooks.example.org?key=1", "hooks.example.org"),
      (.ntfy, "https://ntfy.sh/topic", "topic"),
      (.ntfy, "https://ntfy.example.org/topic", "ntfy.example.org/topic"),
      (.desktop, "desktop", "the monitor's desktop"),
    ] as [(Channel.Kind, String, String)])
  func short(kind: Channel.Kind, address: String, short: String) {
    #expect(Channel(id: UUID(), kind: kind, address: address).shortAddress == short)
  }

  @Test("A contact draft keeps each address once, and a token only for an ntfy topic")
  func drafts() throws {
    let draft = try ContactDraft(
      validating: "Ada", email: "a@example.org",
      channels: [
        ChannelDraft(.email, "A@example.org"), ChannelDraft(.ntfy, "topic", token: Secret(" t ")),
        ChannelDraft(.webhook, "https://example.org/", token: Secret("mine")),
      ], roles: .responder)
    #expect(
      draft.channels == [
        ChannelDraft(.email, "a@example.org"),
        ChannelDraft(.ntfy, "https://ntfy.sh/topic", token: Secret("t")),
        ChannelDraft(.webhook, "https://example.org/"),
      ])
    #expect(draft.email == "a@example.org")
  }

  @Test("Setting the e-mail of a contact draft adds, replaces or removes its first e-mail channel")
  func email() {
    var draft = ContactDraft(name: "Ada", channels: [ChannelDraft(.ntfy, "t")], roles: .responder)
    draft.email = "a@example.org"
    #expect(draft.channels.map(\.kind) == [.email, .ntfy])
    draft.email = "b@example.org"
    #expect(draft.channels.map(\.address) == ["b@example.org", "t"])
    draft.email = nil
    #expect(draft.channels.map(\.kind) == [.ntfy])
  }
}

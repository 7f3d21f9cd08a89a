import Domain
import FoundationEssentials
import Testing

@testable import Features

@MainActor @Suite struct DeepLinkTests {
  @Test("A link is read in any case; anything else is no link")
  func parsing() {
    #expect(DeepLink(Sample.code.link) == .add(Sample.code))
    #expect(DeepLink(" LIFESIGNAL://ADD/\(Sample.code.text.uppercased()) ") == .add(Sample.code))
    #expect(
      DeepLink("lifesignal://contact/00000000-0000-0000-0000-000000000002")
        == .contact(Sample.id(2)))
    #expect(DeepLink("lifesignal://profile") == .profile)
    #expect(DeepLink("lifesignal://alerts/") == .alerts)
    for text in [
      "", "lifesignal://", "lifesignal://add", "lifesignal://add/1", "lifesignal://contact/x",
      "lifesignal://profile/x", "https://example.org", Sample.code.text,
    ] {
      #expect(DeepLink(text) == nil, "\(text)")
    }
  }

  @Test("A link leads to its place, and a contact to the list where they need something")
  func places() {
    let contacts = Sample.relations + [Sample.grace]
    var state = MainTabFeature.State(snapshot: Sample.snapshot(contacts: contacts))
    let charles = state.open(.contact(Sample.charles.id))
    #expect(charles && state.selectedTab == .dependents)
    #expect(state.dependents.selected == Sample.charles)
    #expect(
      state.dependents.destination
        == .details(.init(contact: Sample.charles, snapshot: state.snapshot)))
    let grace = state.open(.contact(Sample.grace.id))
    #expect(grace && state.selectedTab == .responders)
    let unknown = state.open(.contact(Sample.id(250)))
    #expect(!unknown)
    let alerts = state.open(.alerts)
    #expect(alerts && state.selectedTab == .alerts)
    let profile = state.open(.profile)
    #expect(profile && state.selectedTab == .profile)
    let add = state.open(.add(Sample.code))
    #expect(add && state.selectedTab == .responders)
    #expect(
      state.responders.destination == .codeEntry(.init(adding: .responder, code: Sample.code)))
  }
}

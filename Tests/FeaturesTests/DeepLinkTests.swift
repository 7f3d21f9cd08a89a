import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Testing

@testable import Features

extension Roles {
  static let each: [Roles] = [.responder, .dependent]
}

@MainActor @Suite struct DeepLinkTests {
  @Test("A link is read in any case; anything else is no link")
  func parsing() {
    #expect(DeepLink(Sample.code.link) == .add(SharedCode(Sample.code)))
    let shared = SharedCode(Sample.code, server: "family.example:8738")
    #expect(DeepLink(shared.link.uppercased()) == .add(shared))
    #expect(
      DeepLink(" LIFESIGNAL://ADD/\(Sample.code.text.uppercased()) ")
        == .add(SharedCode(Sample.code)))
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
    #expect(state.pictureRequest(for: .contact(Sample.charles.id)) == nil)
    let grace = state.open(.contact(Sample.grace.id))
    #expect(grace && state.selectedTab == .responders)
    let unknown = state.open(.contact(Sample.id(250)))
    #expect(!unknown)
    let alerts = state.open(.alerts)
    #expect(alerts && state.selectedTab == .alerts)
    let profile = state.open(.profile)
    #expect(profile && state.selectedTab == .profile)
    let add = state.open(.add(SharedCode(Sample.code)))
    #expect(add && state.selectedTab == .responders)
    #expect(
      state.responders.destination
        == .codeEntry(.init(adding: .responder, code: SharedCode(Sample.code))))
  }

  @Test("CON-5: a contact that a link leads to is shown with their picture", arguments: Roles.each)
  func picture(_ role: Roles) async {
    var contact = Sample.charles
    contact.roles = role
    contact.link?.picture = Sample.id(9)
    let state = AppFeature.State.signedIn(Sample.snapshot(contacts: [contact]))
    let store = TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.fileStorageClient.url = { (_: UUID) async throws(ClientError) in
        throw .contactNotFound
      }
    }
    let link = DeepLink.contact(contact.id)
    await store.send(.linkOpened(link)) { _ = $0.main?.open(link) }
    let wanted = ContactListFeature.Action.destination(
      .presented(.details(.portrait(.wanted(Sample.id(9))))))
    if role == .dependent {
      await store.receive(.main(.dependents(wanted))) {
        $0.main?.dependents.editDetails { $0.portrait.id = Sample.id(9) }
      }
    } else {
      await store.receive(.main(.responders(wanted))) {
        $0.main?.responders.editDetails { $0.portrait.id = Sample.id(9) }
      }
    }
  }
}

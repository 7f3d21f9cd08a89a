import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

extension Roles {
  static let each: [Roles] = [.responder, .dependent]
}

@MainActor @Suite struct DeepLinkTests {
  @Test("A lifesignal:// link is read in any case; any other text isn't a link")
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

  private func makeStore(
    _ change: (inout AppFeature.State) -> Void = { _ in }
  ) -> TestStoreOf<AppFeature> {
    var state = AppFeature.State.signedIn()
    change(&state)
    return TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.continuousClock = TestClock()
      $0.dateClient = .constant(Sample.now)
    }
  }

  @Test(
    "Pasting a link opens its tab, in the command palette too",
    arguments: [
      ("lifesignal://profile", .profile), (" LIFESIGNAL://alerts\n", .alerts),
      (Sample.code.link, .responders), ("lifesignal://contact/\(Sample.grace.id)", .responders),
    ] as [(String, MainTabFeature.Tab)])
  func pastedLink(text: String, tab: MainTabFeature.Tab) async throws {
    try await paste(text, tab, isInPalette: false)
    try await paste(text, tab, isInPalette: true)
  }

  private func paste(_ text: String, _ tab: MainTabFeature.Tab, isInPalette: Bool) async throws {
    let link = try #require(DeepLink(text))
    let store = makeStore { if isInPalette { $0.palette = AppFeature.Palette() } }
    if isInPalette {
      await store.send(.paletteEdited(.insert(text)))
      await store.receive(.pasted(.link(link))) { $0.palette = nil }
    } else {
      await store.send(.pasted(PastedText(text)))
    }
    await store.receive(.linkOpened(link)) { _ = $0.main?.open(link) }
    #expect(store.state.main?.selectedTab == tab && store.state.link == nil)
  }

  @Test("Pasting a link to a contact that doesn't exist shows a warning at once")
  func pastedUnknownContact() async {
    let link = DeepLink.contact(Sample.id(250))
    let store = makeStore()
    await store.send(.pasted(.link(link)))
    await store.receive(.linkOpened(link)) {
      $0.toast = .init("This contact doesn't exist.", .warning)
    }
    await store.skipInFlightEffects()
  }

  @Test("A pasted link is refused over a form with unsaved changes and ignored during an alert")
  func pastedLinkInTheWay() async {
    let form = makeStore {
      $0.main?[ContactFormFeature.self] = ContactFormFeature.State(adding: .responder)
      $0.main?[ContactFormFeature.self]?.form[.name].apply(.insert("Mary"))
    }
    await form.send(.pasted(.link(.profile))) {
      $0.toast = .init("Save or close this form first, then paste the link again.", .warning)
    }
    await form.skipInFlightEffects()
    await makeStore { $0.main?.emergency.phase = .raising }.send(.pasted(.link(.profile)))
    await TestStore(initialState: AppFeature.State()) { AppFeature() }.send(.pasted(.other))
  }

  @Test("Pasting other text shows a hint, and the text isn't recorded")
  func pastedOtherText() async throws {
    #expect(PastedText("lifesignal://join/family.example/abc") == .invitation)
    #expect(PastedText("my password") == .other)
    let store = makeStore()
    await store.send(.pasted(.invitation)) {
      $0.toast = .init("That is an invitation. Type in a shell: lifesignal join, and the link.")
    }
    await store.send(.pasted(.other)) {
      $0.toast = .init("Nothing here takes text. A lifesignal:// link would open.")
    }
    await store.skipInFlightEffects()
    let recorded = try JSONEncoder().encode(AppFeature.Action.pasted(PastedText("my password")))
    #expect(!String(decoding: recorded, as: UTF8.self).contains("password"))
  }

  @Test("A link opens its tab; a link to a contact opens the contact's details")
  func places() {
    let contacts = Sample.relations + [Sample.grace]
    var state = MainTabFeature.State(snapshot: Sample.snapshot(contacts: contacts))
    let charles = state.open(.contact(Sample.charles.id))
    // Nothing follows, as he has no picture.
    #expect(charles == [] && state.selectedTab == .dependents)
    #expect(state.dependents.selected == Sample.charles)
    func details(_ contact: Contact) -> OpenSheet {
      OpenSheet(ContactDetailsFeature.self, .init(contact: contact, snapshot: state.snapshot))
    }
    #expect(Array(state.path) == [details(Sample.charles)])
    let grace = state.open(.contact(Sample.grace.id))
    #expect(grace == [] && state.selectedTab == .responders)
    #expect(state.responders.selected == Sample.grace)
    #expect(Array(state.path) == [details(Sample.grace)])
    let unknown = state.open(.contact(Sample.id(250)))
    #expect(unknown == nil)
    let alerts = state.open(.alerts)
    #expect(alerts == [] && state.selectedTab == .alerts && state.path.isEmpty)
    let profile = state.open(.profile)
    #expect(profile == [] && state.selectedTab == .profile)
    let add = state.open(.add(SharedCode(Sample.code)))
    #expect(add == [] && state.selectedTab == .responders)
    #expect(
      Array(state.path) == [
        OpenSheet(
          CodeEntryFeature.self, .init(adding: .responder, code: SharedCode(Sample.code)))
      ])
  }

  @Test("CON-5: opening a contact by a link loads the contact's picture", arguments: Roles.each)
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
    #expect(store.state.main?.selectedTab == (role == .dependent ? .dependents : .responders))
    let wanted = ContactDetailsFeature.Action.portrait(.wanted(Sample.id(9)))
    await store.receive(.main(.sheet(ContactDetailsFeature.self, wanted))) {
      $0.main?[ContactDetailsFeature.self]?.portrait.id = Sample.id(9)
    }
  }
}

import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import Features

extension Sample {
  static func invitation(_ number: UInt8, _ roles: Roles = .responder) -> Invitation {
    Invitation(
      id: id(90 + number), roles: roles, createdAt: now - .hours(Int(number)),
      expiresAt: now - .hours(Int(number)) + .days(7))
  }

  static let newInvitation = NewInvitation(
    invitation(0),
    link: Secret(
      "lifesignal://join/lifesignal.family.example:8738/0123456789abcdef0123456789abcdef#"
        + String(repeating: "0a1b2c3d", count: 8)))
}

@MainActor @Suite struct InvitationsFeatureTests {
  private func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<InvitationsFeature> {
    TestStore(
      initialState: InvitationsFeature.State(for: .dependent, snapshot: Sample.snapshot())
    ) {
      InvitationsFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  @Test("A link is made for the role of the tab, copied, and shown as a code")
  func create() async {
    let new = NewInvitation(Sample.invitation(0, .dependent), link: Sample.newInvitation.link)
    let store = makeStore {
      $0.invitationClient.invitations = { () async throws(ClientError) in [Sample.invitation(1)] }
      $0.invitationClient.create = { (roles: Roles) async throws(ClientError) in
        #expect(roles == .dependent)
        return new
      }
      $0.clipboardClient.copy = { #expect($0 == new.link.value) }
      $0.qrCodeClient.modules = { (text: String) async throws(QRCodeError) in
        [[text == new.link.value]]
      }
    }
    await store.send(.opened)
    await store.receive(.loaded([Sample.invitation(1)])) { $0.open = [Sample.invitation(1)] }
    // There is no link yet.
    await store.send(.copyButtonTapped)
    await store.send(.codeButtonTapped)
    await store.send(.chooseButtonTapped) { $0.isMaking = true }
    await store.receive(.created(new)) {
      $0.isMaking = false
      $0.made = new
      $0.open?.insert(new.invitation, at: 0)
    }
    await store.send(.copyButtonTapped) { $0.message = "Copied, if your terminal allows it." }
    await store.send(.codeButtonTapped) { $0.message = nil }
    await store.receive(.drawn(Secret([[true]]))) { $0.modules = Secret([[true]]) }
    await store.send(.codeClosed) { $0.modules = nil }
    await store.send(.backButtonTapped) { $0.made = nil }
  }

  @Test("Who presses Enter twice gets one link")
  func once() async {
    var state = InvitationsFeature.State(for: .responder, snapshot: Sample.snapshot())
    state.isMaking = true
    let store = TestStore(initialState: state) { InvitationsFeature() }
    await store.send(.chooseButtonTapped)
  }

  @Test("An open invitation is revoked once that is confirmed")
  func revoke() async {
    let (first, second) = (Sample.invitation(1), Sample.invitation(2))
    let store = makeStore {
      $0.invitationClient.invitations = { () async throws(ClientError) in [first, second] }
      $0.invitationClient.revoke = { (id: UUID) async throws(ClientError) in
        #expect(id == second.id)
      }
    }
    await store.send(.opened)
    await store.receive(.loaded([first, second])) { $0.open = [first, second] }
    await store.send(.revokeConfirmed)
    await store.send(.moved(ListPosition(selected: 4))) { $0.position.selected = 4 }
    await store.send(.chooseButtonTapped) { $0.revoking = second }
    await store.send(.revokeCancelled) { $0.revoking = nil }
    await store.send(.chooseButtonTapped) { $0.revoking = second }
    await store.send(.revokeConfirmed) { $0.revoking = nil }
    await store.receive(.revoked(second.id)) {
      $0.open = [first]
      $0.position.selected = 3
      $0.message = "Revoked. Nobody can join with its link any more."
    }
    // What is read again keeps the row that is chosen.
    let third = Sample.invitation(3)
    await store.send(.loaded([third, first])) {
      $0.open = [third, first]
      $0.position.selected = 4
    }
  }

  @Test("Without its server nothing is made or listed; one that may be made is looked for")
  func away() async {
    let away = ClientError.storage(.network(.serverUnreachable("family.example")))
    let store = makeStore {
      $0.invitationClient.invitations = { () async throws(ClientError) in throw away }
      $0.invitationClient.create = { (_: Roles) async throws(ClientError) in throw away }
    }
    await store.send(.opened)
    await store.receive(.failed(away.text)) { $0.failure = away.text }
    await store.send(.chooseButtonTapped) {
      $0.isMaking = true
      $0.failure = nil
    }
    await store.receive(.failed(away.text)) {
      $0.isMaking = false
      $0.failure = away.text
    }
    let unknown = ClientError.storage(.network(.unanswered))
    let lost = makeStore {
      $0.invitationClient.invitations = { () async throws(ClientError) in [Sample.invitation(1)] }
      $0.invitationClient.create = { (_: Roles) async throws(ClientError) in throw unknown }
    }
    await lost.send(.chooseButtonTapped) { $0.isMaking = true }
    await lost.receive(.failed(unknown.text)) {
      $0.isMaking = false
      $0.failure = unknown.text
    }
    await lost.receive(.loaded([Sample.invitation(1)])) { $0.open = [Sample.invitation(1)] }
  }

  @Test("People are invited to a server only")
  func host() async {
    for host in [AccountHost.thisMachine, .server(name: "family.example")] {
      var snapshot = Sample.snapshot()
      snapshot.host = host
      let store = TestStore(
        initialState: ContactListFeature.State(role: .responder, snapshot: snapshot)
      ) {
        ContactListFeature()
      } withDependencies: {
        $0.invitationClient.invitations = { () async throws(ClientError) in [] }
      }
      guard host != .thisMachine else {
        await store.send(.inviteButtonTapped)
        continue
      }
      await store.send(.inviteButtonTapped) {
        $0.destination = .invitations(.init(for: .responder, snapshot: snapshot))
      }
      await store.receive(.destination(.presented(.invitations(.opened))))
      await store.receive(.destination(.presented(.invitations(.loaded([]))))) {
        $0.destination[ContactListFeature.Destination.invitations]?.open = []
      }
    }
  }

  @Test("A link is in no recording, nor is its code")
  func recording() async {
    let lines = Mutex<[String]>([])
    let recorder = ActionRecorder<InvitationsFeature.Action>(
      header: RecordingHeader(program: "test", date: Sample.now)
    ) { line in lines.withLock { $0.append(line) } }
    let store = Store(
      initialState: InvitationsFeature.State(for: .responder, snapshot: Sample.snapshot())
    ) {
      InvitationsFeature().recordingActions(to: recorder)
    }
    store.send(.created(Sample.newInvitation))
    store.send(.drawn(Secret(Sample.modules)))
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains("created") && text.contains("drawn"))
    #expect(!text.contains("lifesignal://") && !text.contains("true") && !text.contains("false"))
    var dumped = ""
    dump(store.state, to: &dumped)
    #expect(!dumped.contains("lifesignal://"))
  }
}

import Clients
import Composable
import ComposableFoundation
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
      initialState: InvitationsFeature.State(for: .dependent)
    ) {
      InvitationsFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  private nonisolated static func stream(
    _ open: [Invitation]
  ) -> AsyncThrowingStream<[Invitation], any Error> {
    AsyncThrowingStream {
      $0.yield(open)
      $0.finish()
    }
  }

  @Test("An invitation link has the role of the tab, is copied and shown as a QR code")
  func create() async {
    let new = NewInvitation(Sample.invitation(0, .dependent), link: Sample.newInvitation.link)
    let store = makeStore {
      $0.invitationClient.observe = { Self.stream([Sample.invitation(1)]) }
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
    await store.receive(.changed([Sample.invitation(1)])) { $0.open = [Sample.invitation(1)] }
    // There is no link yet.
    await store.send(.copyButtonTapped)
    await store.send(.codeButtonTapped)
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.created(new)) {
      $0.request.isRunning = false
      $0.made = new
    }
    await store.send(.copyButtonTapped) { $0.message = "Copied, if your terminal allows it." }
    await store.send(.codeButtonTapped) { $0.message = nil }
    await store.receive(.drawn(Secret([[true]]))) { $0.modules = Secret([[true]]) }
    await store.send(.codeClosed) { $0.modules = nil }
    await store.send(.backButtonTapped) { $0.made = nil }
  }

  @Test("Pressing Enter twice creates a single invitation link")
  func once() async {
    var state = InvitationsFeature.State(for: .responder)
    state.request.isRunning = true
    let store = TestStore(initialState: state) { InvitationsFeature() }
    await store.send(.chooseButtonTapped)
  }

  @Test("An open invitation is revoked only after confirmation")
  func revoke() async {
    let (first, second) = (Sample.invitation(1), Sample.invitation(2))
    let store = makeStore {
      $0.invitationClient.observe = { Self.stream([first, second]) }
      $0.invitationClient.revoke = { (id: UUID) async throws(ClientError) in
        #expect(id == second.id)
      }
    }
    await store.send(.opened)
    await store.receive(.changed([first, second])) { $0.open = [first, second] }
    await store.send(.revokeConfirmed)
    await store.send(.moved(ListPosition(selected: 4))) { $0.position.selected = 4 }
    await store.send(.chooseButtonTapped) { $0.revoking = second }
    await store.send(.revokeCancelled) { $0.revoking = nil }
    await store.send(.chooseButtonTapped) { $0.revoking = second }
    await store.send(.revokeConfirmed) { $0.revoking = nil }
    await store.receive(.revoked) {
      $0.message = "Revoked. Nobody can join with its link any more."
    }
    await store.send(.changed([first])) {
      $0.open = [first]
      $0.position.selected = 3
    }
    // A new list keeps the selection on its row.
    let third = Sample.invitation(3)
    await store.send(.changed([third, first])) {
      $0.open = [third, first]
      $0.position.selected = 4
    }
  }

  @Test("An invitation used or revoked elsewhere leaves the list and closes its question")
  func elsewhere() async {
    let (first, second) = (Sample.invitation(1), Sample.invitation(2))
    let (stream, said) = AsyncThrowingStream<[Invitation], any Error>.makeStream()
    let used = ClientError.invitationUsed(by: "Ben", roles: .responder)
    let store = makeStore {
      $0.invitationClient.observe = { stream }
      $0.invitationClient.revoke = { (_: UUID) async throws(ClientError) in throw used }
    }
    await store.send(.opened)
    said.yield([first, second])
    await store.receive(.changed([first, second])) { $0.open = [first, second] }
    await store.send(.moved(ListPosition(selected: 3))) { $0.position.selected = 3 }
    await store.send(.chooseButtonTapped) { $0.revoking = first }
    said.yield([second])
    await store.receive(.changed([second])) {
      $0.open = [second]
      $0.revoking = nil
      $0.message = "This invitation was used or revoked in the meantime."
    }
    // The error that the invitation is gone stays while the list updates.
    await store.send(.chooseButtonTapped) {
      $0.message = nil
      $0.revoking = second
    }
    await store.send(.revokeConfirmed) { $0.revoking = nil }
    await store.receive(.failed(used.text)) { $0.request.failure = Failure(used.text) }
    #expect(used.text.description == "Ben has already joined. Ben is your responder now.")
    said.yield([])
    said.finish()
    await store.receive(.changed([])) {
      $0.open = []
      $0.position.selected = 2
    }
  }

  @Test("Without the server no invitation is made or listed; a later answer clears the errors")
  func away() async {
    let away = ClientError.storage(.network(.serverUnreachable("family.example")))
    let clock = TestClock()
    let isAway = Mutex(true)
    let store = makeStore {
      $0.continuousClock = clock
      $0.invitationClient.observe = {
        AsyncThrowingStream {
          if isAway.withLock(\.self) { return $0.finish(throwing: away) }
          $0.yield([Sample.invitation(1)])
          $0.finish()
        }
      }
      $0.invitationClient.create = { (_: Roles) async throws(ClientError) in throw away }
    }
    await store.send(.opened)
    await store.receive(.readingFailed(away.text)) { $0.readingFailure = away.text }
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.creationFailed(away.text)) {
      $0.request.isRunning = false
      $0.request.failure = Failure(away.text)
    }
    isAway.withLock { $0 = false }
    await clock.advance(by: .seconds(60))
    await store.receive(.changed([Sample.invitation(1)])) {
      $0.open = [Sample.invitation(1)]
      $0.readingFailure = nil
      $0.request.failure = nil
    }
  }

  @Test("An invitation whose request got no answer is marked uncertain until the next attempt")
  func unanswered() async {
    let unknown = ClientError.storage(.network(.unanswered))
    let tries = Mutex(0)
    let store = makeStore {
      $0.invitationClient.create = { (_: Roles) async throws(ClientError) in
        let isFirst = tries.withLock { tries in
          tries += 1
          return tries == 1
        }
        if isFirst { throw unknown }
        return Sample.newInvitation
      }
    }
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.creationFailed(unknown.text)) {
      $0.request.isRunning = false
      $0.isUncertain = true
    }
    // The invitation appears in the list before the answer with its link.
    await store.send(.changed([Sample.newInvitation.invitation])) {
      $0.open = [Sample.newInvitation.invitation]
    }
    await store.send(.chooseButtonTapped) {
      $0.request.isRunning = true
      $0.isUncertain = false
    }
    await store.receive(.created(Sample.newInvitation)) {
      $0.request.isRunning = false
      $0.made = Sample.newInvitation
    }
  }

  @Test("Inviting people is possible only with an account on a server")
  func host() async {
    for host in [AccountHost.thisMachine, .server(name: "family.example")] {
      var snapshot = Sample.snapshot()
      snapshot.host = host
      let store = TestStore(initialState: MainTabFeature.State(snapshot: snapshot)) {
        MainTabFeature()
      } withDependencies: {
        $0.invitationClient.observe = { Self.stream([]) }
      }
      guard host != .thisMachine else {
        await store.send(.responders(.inviteButtonTapped))
        continue
      }
      await store.send(.responders(.inviteButtonTapped)) {
        $0[InvitationsFeature.self] = InvitationsFeature.State(for: .responder)
      }
      await store.receive(.sheet(InvitationsFeature.self, .opened))
      await store.receive(.sheet(InvitationsFeature.self, .changed([]))) {
        $0[InvitationsFeature.self]?.open = []
      }
    }
  }

  @Test("No recording or state dump contains an invitation's link or QR code")
  func recording() async {
    let lines = Mutex<[String]>([])
    let recorder = ActionRecorder<InvitationsFeature.Action>(
      header: RecordingHeader(program: "test", date: Sample.now)
    ) { line in lines.withLock { $0.append(line) } }
    let store = Store(
      initialState: InvitationsFeature.State(for: .responder)
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

import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

@MainActor @Suite struct OutingFeatureTests {
  private func makeStore(
    prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<OutingFeature> {
    TestStore(initialState: OutingFeature.State(snapshot: Sample.snapshot())) {
      OutingFeature()
    } withDependencies: {
      prepare(&$0)
    }
  }

  private nonisolated static var outUser: User { Sample.out.user }

  @Test("OUT-1: what was typed is sent as it is, with the zone, and names become responders")
  func starts() async {
    let expected = OutingDraft(
      end: "12:00", zone: "UTC", text: "Ben Nevis", responders: [Sample.grace.id],
      isAnnounced: true, holdsDeadline: true)
    let sent = LockedCounter()
    let store = makeStore {
      $0.contactsClient.contacts = { [Sample.alan, Sample.grace] }
      $0.checkInClient.startOuting = { (draft: OutingDraft) in
        #expect(draft == expected)
        sent.increment()
        return Self.outUser
      }
    }
    await store.sendToForm(
      .edited(.end, .insert("12:00")), .edited(.text, .insert("Ben Nevis")),
      .edited(.responders, .insert("grace")), .toggled(.tells), .toggled(.waits)
    ) { .form($0) }
    #expect(store.state.outing?.until == Sample.now + .hours(4))
    #expect(!store.state.coversDeadline)
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    await store.receive(.saved(Self.outUser)) { $0.form.saved() }
    #expect(sent.value == 1)
  }

  @Test("OUT-1: a mistyped end or an unknown name shows an error and starts nothing")
  func refused() async {
    let store = makeStore { $0.contactsClient.contacts = { [Sample.grace] } }
    await store.sendToForm(.edited(.end, .insert("soon")), .saveButtonTapped) { .form($0) }
    #expect(store.state.form.errors[.end] == .outingEnd("soon"))
    await store.sendToForm(
      .edited(.end, .selectAll), .edited(.end, .insert("2d")),
      .edited(.responders, .insert("Zoe"))
    ) { .form($0) }
    #expect(store.state.coversDeadline)
    await store.sendToForm(.saveButtonTapped) { .form($0) }
    let error = ClientError.invalid(.responderName("Zoe"))
    await store.receive(.saveFailed(error)) { $0.form.failed(error.text) }
  }

  @Test(
    "OUT-2, CHK-9: I'm back is asked once more, sent once, and its failure tried again by itself")
  func back() async {
    let calls = LockedCounter()
    let store = TestStore(initialState: BackFeature.State(snapshot: Sample.out)) {
      BackFeature()
    } withDependencies: {
      $0.checkInClient.endOuting = { (id: Outing.ID) async throws(ClientError) in
        #expect(id == Sample.outing.id)
        calls.increment()
        if calls.value == 1 { throw .checkInTooLate }
        return Sample.user
      }
    }
    await store.send(.confirmButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saveFailed(.checkInTooLate)) {
      $0.request = Request(failure: Failure(ClientError.checkInTooLate.text))
    }
    await store.send(.confirmButtonTapped) { $0.request = Request(isRunning: true) }
    await store.receive(.saved(Sample.user)) { $0.request.isRunning = false }
    #expect(calls.value == 2)
    // Pressed twice, it is asked for once; ended elsewhere, there is nothing to ask.
    var busy = BackFeature.State(snapshot: Sample.out)
    busy.request.isRunning = true
    await TestStore(initialState: busy) { BackFeature() }.send(.confirmButtonTapped)
    let over = BackFeature.State(snapshot: Sample.snapshot())
    await TestStore(initialState: over) { BackFeature() }.send(.confirmButtonTapped)
    #expect(over.isObsolete(in: Sample.snapshot()))
  }

  @Test("OUT-1, OUT-3: the tab names those who were chosen, and says which deadline waits")
  func chosen() {
    var snapshot = Sample.out
    snapshot.user.outing?.responders = [Sample.grace.id]
    let goesOn = screen(snapshot)
    #expect(goesOn.contains("If not, Grace Hopper is notified"), "\(goesOn)")
    #expect(!goesOn.contains("waits for your outing"))
    snapshot.user.outing?.holdsDeadline = true
    let deadline = snapshot.user.deadline.promised
    snapshot.user.outing?.until = deadline + .hours(2)
    #expect(screen(snapshot).contains("waits for your outing, until"))
    // One who is no responder any more isn't notified, but everyone.
    snapshot.user.outing?.responders = [Sample.id(77)]
    #expect(screen(snapshot).contains("If not, they are notified"))
  }

  @Test("OUT-3: a later end is chosen from spans or typed, and counts from the end that was seen")
  func later() async {
    let store = TestStore(initialState: LaterFeature.State(snapshot: Sample.out)) {
      LaterFeature()
    } withDependencies: {
      $0.checkInClient.extendOuting = { (change: OutingExtension) in
        #expect(change == OutingExtension(Sample.outing, by: .minutes(45)))
        return Self.outUser
      }
    }
    await store.send(.customEdited(.insert("3 weeks"))) {
      $0.position.selected = LaterFeature.State.presetCount
      $0.customText.apply(.insert("3 weeks"))
    }
    await store.send(.chooseButtonTapped) { $0.error = .outingRange }
    await store.send(.customEdited(.selectAll)) {
      $0.customText.apply(.selectAll)
      $0.error = nil
    }
    await store.send(.customEdited(.insert("45m"))) { $0.customText.apply(.insert("45m")) }
    await store.send(.chooseButtonTapped) { $0.request.isRunning = true }
    await store.receive(.saved(Self.outUser)) { $0.request.isRunning = false }
    // Once the outing has ended elsewhere, the sheet closes.
    #expect(store.state.isObsolete(in: Sample.snapshot()))
    #expect(!store.state.isObsolete(in: Sample.out))
  }

  @Test("OUT-3: o and + extend an outing; once its alert is on, they offer I'm back")
  func keys() async {
    var late = Sample.out
    late.alerts = [
      AlertReport(
        alert: Alert(
          id: Sample.outing.id, kind: .outing, raisedAt: Sample.now, dueBack: Sample.outing.until))
    ]
    for action in [CheckInFeature.Action.outingButtonTapped, .laterButtonTapped] {
      let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.out)) {
        MainTabFeature()
      }
      await store.send(.checkIn(action)) {
        $0[LaterFeature.self] = LaterFeature.State(snapshot: $0.snapshot)
      }
      let missed = TestStore(initialState: MainTabFeature.State(snapshot: late)) {
        MainTabFeature()
      }
      await missed.send(.checkIn(action)) {
        $0[BackFeature.self] = BackFeature.State(snapshot: $0.snapshot)
      }
    }
    let store = TestStore(initialState: MainTabFeature.State(snapshot: Sample.snapshot())) {
      MainTabFeature()
    }
    await store.send(.checkIn(.outingButtonTapped)) {
      $0[OutingFeature.self] = OutingFeature.State(snapshot: $0.snapshot)
    }
  }

  @Test("OUT-1: the tab shows how much time is left and the text only while an outing is on")
  func panel() {
    #expect(!screen(Sample.snapshot()).contains("Outing"))
    let out = screen(Sample.out)
    #expect(out.contains("Back in 4h, today 12:00 · Ben Nevis by the CMD arête, red tent"))
    #expect(out.contains("I'm back") && out.contains("Later"))
    #expect(out.contains("If not, they are notified today 12:15."))
    // What waits for the server isn't said again (OUT-5).
    var kept = Sample.out
    kept.outbox = Outbox(checkIns: [
      .init(id: Sample.id(9), madeAt: Sample.now, outing: Sample.outing.id)
    ])
    let waits = screen(kept)
    #expect(waits.contains("You said at 08:00 that you are back – NOT received yet."))
    #expect(waits.contains("expect you back by 12:00") && !waits.contains("I'm back"))
  }

  private func screen(_ snapshot: AccountSnapshot) -> String {
    let store = Store(initialState: CheckInFeature.State(snapshot: snapshot)) {
      CheckInFeature()
    }
    return ViewHost().frame(CheckInView(store: store), size: Size(columns: 100, rows: 30)).text
  }
}

import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct ReplyFeatureTests {
  private let answer = Response(
    kind: .acknowledged, person: "Ada Lovelace", responder: "Grace Hopper")

  private func makeStore(
    _ respond: @escaping @Sendable (String) async throws(ClientError) -> Response
  ) -> TestStoreOf<MainTabFeature> {
    var snapshot = Sample.snapshot(alerts: [AlertReport(alert: Sample.alert)])
    snapshot.notifications = []
    return TestStore(initialState: MainTabFeature.State(snapshot: snapshot)) {
      MainTabFeature()
    } withDependencies: {
      $0.responseClient.respond = respond
    }
  }

  private func enter(_ code: String, in store: TestStoreOf<MainTabFeature>) async {
    await store.send(.sheet(ReplyFeature.self, .form(.edited(.code, .insert(code))))) {
      $0[ReplyFeature.self]?.form[.code].apply(.insert(code))
      $0[ReplyFeature.self]?.form.touched = []
      $0[ReplyFeature.self]?.form.errors = [:]
    }
  }

  @Test("ESC-2: a responder's code typed on the Alerts tab is sent and closes its sheet")
  func acknowledged() async {
    let store = makeStore { [answer] (code: String) async throws(ClientError) in
      #expect(code == "7k3qf 9zd2m")
      return answer
    }
    await store.send(.alerts(.replyButtonTapped)) { $0[ReplyFeature.self] = ReplyFeature.State() }
    await enter("7k3qf 9zd2m", in: store)
    await store.send(.sheet(ReplyFeature.self, .form(.saveButtonTapped))) {
      $0[ReplyFeature.self]?.form.touched = [.code]
      $0[ReplyFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(ReplyFeature.self, .saved(answer))) { $0[ReplyFeature.self] = nil }
  }

  @Test("An incomplete code isn't sent; an unknown code shows an error and stays in the field")
  func wrong() async {
    let store = makeStore { (_: String) async throws(ClientError) in throw .responseCodeUnknown }
    await store.send(.alerts(.replyButtonTapped)) { $0[ReplyFeature.self] = ReplyFeature.State() }
    for code in ["", "7K3QF", "-9ZD2M7K3QF9"] {
      if !code.isEmpty { await enter(code, in: store) }
      await store.send(.sheet(ReplyFeature.self, .form(.saveButtonTapped))) {
        $0[ReplyFeature.self]?.form.touched = [.code]
        $0[ReplyFeature.self]?.form.errors = [.code: .responseCode]
      }
    }
    let text = store.state[ReplyFeature.self]?.form[.code].text ?? ""
    for edit in [TextEdit.kill(.lineStart), .insert("7K3QF-9ZD2M")] {
      await store.send(.sheet(ReplyFeature.self, .form(.edited(.code, edit)))) {
        $0[ReplyFeature.self]?.form[.code].apply(edit)
        $0[ReplyFeature.self]?.form.touched = []
        $0[ReplyFeature.self]?.form.errors = [:]
      }
    }
    #expect(!text.isEmpty)
    await store.send(.sheet(ReplyFeature.self, .form(.saveButtonTapped))) {
      $0[ReplyFeature.self]?.form.touched = [.code]
      $0[ReplyFeature.self]?.form.isSaving = true
    }
    await store.receive(.sheet(ReplyFeature.self, .saveFailed(.responseCodeUnknown))) {
      $0[ReplyFeature.self]?.form.isSaving = false
      $0[ReplyFeature.self]?.form.failure = ClientError.responseCodeUnknown.text
    }
    #expect(store.state[ReplyFeature.self]?.form[.code].text == "7K3QF-9ZD2M")
  }

  @Test("ESC-2: a responder's code shows who is responding and starts a monitor")
  func announced() async {
    let started = LockedCounter()
    let clock = TestClock()
    let store = TestStore(initialState: AppFeature.State.signedIn()) {
      AppFeature()
    } withDependencies: {
      $0.watchClient.start = { () async throws(StorageError) in started.increment() }
      $0.dateClient = .constant(Sample.now)
      $0.continuousClock = clock
    }
    await store.send(.main(.alerts(.replyButtonTapped))) {
      $0.main?[ReplyFeature.self] = ReplyFeature.State()
    }
    await store.send(.main(.sheet(ReplyFeature.self, .saved(answer)))) {
      $0.main?[ReplyFeature.self] = nil
      $0.toast = ToastMessage(
        "Grace Hopper is responding. Others who were notified get a message.")
    }
    await clock.advance(by: .seconds(3))
    await store.receive(.toastExpired) { $0.toast = nil }
    await store.finish()
    #expect(started.value == 1)
  }
}

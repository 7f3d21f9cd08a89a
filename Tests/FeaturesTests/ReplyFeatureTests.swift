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
  ) -> TestStoreOf<AlertsFeature> {
    var snapshot = Sample.snapshot(alerts: [AlertReport(alert: Sample.alert)])
    snapshot.notifications = []
    return TestStore(initialState: AlertsFeature.State(snapshot: snapshot)) {
      AlertsFeature()
    } withDependencies: {
      $0.responseClient.respond = respond
    }
  }

  private func type(_ code: String, in store: TestStoreOf<AlertsFeature>) async {
    await store.send(.reply(.presented(.form(.edited(.code, .insert(code)))))) {
      $0.reply?.form[.code].apply(.insert(code))
      $0.reply?.form.touched = []
      $0.reply?.form.errors = [:]
    }
  }

  @Test("ESC-2: the code that a responder gave is typed under Alerts, and closes its sheet")
  func acknowledged() async {
    let store = makeStore { [answer] (code: String) async throws(ClientError) in
      #expect(code == "7k3qf 9zd2m")
      return answer
    }
    await store.send(.replyButtonTapped) { $0.reply = ReplyFeature.State() }
    await type("7k3qf 9zd2m", in: store)
    await store.send(.reply(.presented(.form(.saveButtonTapped)))) {
      $0.reply?.form.touched = [.code]
      $0.reply?.form.isSaving = true
    }
    await store.receive(.reply(.presented(.saved(answer)))) { $0.reply = nil }
  }

  @Test("A code that cannot be one is not asked for, and an unknown one stays to be corrected")
  func wrong() async {
    let store = makeStore { (_: String) async throws(ClientError) in throw .responseCodeUnknown }
    await store.send(.replyButtonTapped) { $0.reply = ReplyFeature.State() }
    for code in ["", "7K3QF", "-9ZD2M7K3QF9"] {
      if !code.isEmpty { await type(code, in: store) }
      await store.send(.reply(.presented(.form(.saveButtonTapped)))) {
        $0.reply?.form.touched = [.code]
        $0.reply?.form.errors = [.code: .responseCode]
      }
    }
    let text = store.state.reply?.form[.code].text ?? ""
    for edit in [TextEdit.kill(.lineStart), .insert("7K3QF-9ZD2M")] {
      await store.send(.reply(.presented(.form(.edited(.code, edit))))) {
        $0.reply?.form[.code].apply(edit)
        $0.reply?.form.touched = []
        $0.reply?.form.errors = [:]
      }
    }
    #expect(!text.isEmpty)
    await store.send(.reply(.presented(.form(.saveButtonTapped)))) {
      $0.reply?.form.touched = [.code]
      $0.reply?.form.isSaving = true
    }
    await store.receive(.reply(.presented(.saveFailed(.responseCodeUnknown)))) {
      $0.reply?.form.isSaving = false
      $0.reply?.form.failure = ClientError.responseCodeUnknown.text
    }
    #expect(store.state.reply?.form[.code].text == "7K3QF-9ZD2M")
  }

  @Test("ESC-2: who takes care is said, and somebody has to tell the others")
  func announced() async {
    let started = LockedCounter()
    let clock = TestClock()
    var state = AppFeature.State.signedIn()
    state.main?.alerts.reply = ReplyFeature.State()
    let store = TestStore(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0.watchClient.start = { () async throws(StorageError) in started.increment() }
      $0.continuousClock = clock
    }
    await store.send(.main(.alerts(.reply(.presented(.saved(answer)))))) {
      $0.main?.alerts.reply = nil
      $0.toast = AppFeature.Toast(
        "Grace Hopper is responding. Others who were notified get a message.")
    }
    await clock.advance(by: .seconds(3))
    await store.receive(.toastExpired) { $0.toast = nil }
    await store.finish()
    #expect(started.value == 1)
  }
}

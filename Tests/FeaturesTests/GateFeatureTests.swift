import Clients
import Composable
import ComposableTesting
import Domain
import Foundation
import Synchronization
import Terminal
import Testing

@testable import Features

@MainActor @Suite struct GateFeatureTests {
  func makeStore(
    _ purpose: GateFeature.Purpose, prepare: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<GateFeature> {
    TestStore(initialState: GateFeature.State(purpose)) {
      GateFeature()
    } withDependencies: {
      $0.dateClient = .constant(Sample.now)
      prepare(&$0)
    }
  }

  private func enter(_ text: String, _ store: TestStoreOf<GateFeature>) async {
    await store.send(.edited(.insertSecurely(SecureText(text)))) {
      $0.passphrase.apply(.insertSecurely(SecureText(text)))
      $0.error = nil
    }
    await store.send(.sendButtonTapped) { $0.isChecking = true }
  }

  @Test("CHK-3: the gate sends exactly what was asked: a check-in")
  func checkIn() async {
    let store = makeStore(.checkIn(.pingAnswer)) {
      $0.checkInClient.checkIn = {
        (source: CheckIn.Source, passphrase: Secret<String>?) async throws(ClientError) in
        #expect(source == .pingAnswer && passphrase?.value == "blue kettle")
        return Sample.user
      }
    }
    await enter("blue kettle", store)
    await store.receive(.checkedIn(Sample.user)) { $0.isChecking = false }
  }

  @Test("CHK-3: the gate sends exactly what was asked: the end of an alert")
  func cancelAlert() async {
    let store = makeStore(.cancelAlert) {
      $0.alertClient.cancel = { (passphrase: Secret<String>?) async throws(ClientError) in
        #expect(passphrase?.value == "blue kettle")
        return Sample.alert
      }
    }
    await enter("blue kettle", store)
    await store.receive(.alertCancelled(Sample.alert)) { $0.isChecking = false }
  }

  @Test("CHK-3: the gate sends exactly what was asked: another gate")
  func changeGate() async {
    let gate = Gate(passphrase: Secret("red kettle"))
    let store = makeStore(.changeGate(gate)) {
      $0.authClient.updateGate = {
        (current: Secret<String>?, new: Gate?) async throws(ClientError) in
        #expect(current?.value == "blue kettle" && new == gate)
      }
    }
    await enter("blue kettle", store)
    await store.receive(.gateChanged) { $0.isChecking = false }
  }

  @Test("CHK-3, AUTH-3: a wrong passphrase and a lock are said under the field")
  func refused() async {
    let errors = Mutex([GateError.locked(until: Sample.now + .minutes(2)), .wrong])
    let store = makeStore(.checkIn(.manual)) {
      $0.checkInClient.checkIn = {
        (_: CheckIn.Source, _: Secret<String>?) async throws(ClientError) in
        throw .gate(errors.withLock { $0.removeLast() })
      }
    }
    await store.send(.sendButtonTapped)
    await enter("red kettle", store)
    await store.receive(.refused(.wrong)) {
      $0.isChecking = false
      $0.passphrase = .secret
      $0.error = GateError.wrong.text
    }
    await enter("red kettle", store)
    await store.receive(.refused(.locked(until: Sample.now + .minutes(2)))) {
      $0.isChecking = false
      $0.passphrase = .secret
      $0.error = ErrorText(
        "PASSPHRASE_LOCKED", "Too many wrong passphrases.", recovery: "Try again today 08:02.",
        isRetryable: true)
    }
  }

  @Test("What goes wrong behind the gate keeps the passphrase for another try")
  func failed() async {
    let store = makeStore(.cancelAlert) {
      $0.alertClient.cancel = { (_: Secret<String>?) async throws(ClientError) in
        throw .storage(.busy)
      }
    }
    await enter("blue kettle", store)
    await store.receive(.failed(StorageError.busy.text)) {
      $0.isChecking = false
      $0.error = StorageError.busy.text
    }
    #expect(store.state.passphrase.text == "blue kettle")
  }

  @Test("CHK-3: with a gate, checking in asks first, and the sheet goes with the check-in")
  func inTheTab() async {
    var user = Sample.user
    user.locks = .gate
    let store = TestStore(
      initialState: CheckInFeature.State(snapshot: Sample.snapshot(user: user))
    ) {
      CheckInFeature()
    }
    await store.send(.checkInButtonTapped) { $0.gate = GateFeature.State(.checkIn(.manual)) }
    await store.send(.gate(.presented(.checkedIn(user)))) { $0.gate = nil }
    await store.receive(.checkedIn(user))
  }

  @Test("CHK-3: a gate that was set elsewhere a moment ago asks too")
  func setMeanwhile() async {
    let store = TestStore(initialState: CheckInFeature.State(snapshot: Sample.snapshot())) {
      CheckInFeature()
    } withDependencies: {
      $0.checkInClient.checkIn = {
        (_: CheckIn.Source, _: Secret<String>?) async throws(ClientError) in
        throw .gate(.required)
      }
    }
    await store.send(.checkInButtonTapped) { $0.isCheckingIn = true }
    await store.receive(.checkInFailed(.gate(.required))) {
      $0.isCheckingIn = false
      $0.gate = GateFeature.State(.checkIn(.manual))
    }
    await store.send(.gate(.dismiss)) { $0.gate = nil }
  }

  @Test("CHK-3: cancelling an alert asks after its countdown")
  func inTheEmergency() async {
    var state = EmergencyFeature.State()
    state.phase = .storingCancellation
    let store = TestStore(initialState: state) { EmergencyFeature() }
    await store.send(.cancellationFailed(.gate(.required))) {
      $0.phase = .idle
      $0.gate = GateFeature.State(.cancelAlert)
    }
    await store.send(.gate(.presented(.alertCancelled(Sample.alert)))) { $0.gate = nil }
    await store.receive(.cancelled(Sample.alert))
  }

  @Test("CHK-3: no recording and no description holds a passphrase or a password")
  func secrets() throws {
    let secret = Secret("blue kettle")
    let typed = TextEdit.insertSecurely(SecureText("blue kettle"))
    let actions: [AppFeature.Action] = [
      .authentication(.form(.edited(.password, typed))),
      .authentication(.signUpChecked(Credentials(email: "a@b.c", password: secret))),
      .main(.checkIn(.gate(.presented(.edited(typed))))),
      .main(
        .profile(
          .destination(
            .presented(
              .security(.destination(.presented(.gateForm(.form(.edited(.duress, typed)))))))))),
    ]
    for action in actions {
      let json = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
      #expect(!json.contains("kettle"))
      #expect(!String(describing: action).contains("kettle"))
    }
    var state = GateFeature.State(
      .changeGate(Gate(passphrase: secret, duress: Secret("green kettle"))))
    state.passphrase.apply(typed)
    #expect(!String(reflecting: state).contains("kettle"))
    #expect(!describe(state).contains("kettle"))
  }
}

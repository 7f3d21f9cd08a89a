import Clients
import Composable
import ComposableTesting
import Domain
import Foundation
import Synchronization
import Terminal
import Testing

@testable import Features

/// CHK-3, AUTH-5: the prompt for a secret appears above any open sheet.
@MainActor @Suite struct PromptFeatureTests {
  private static let request = SecretRequest(id: 7, kind: .passphrase(.removeContact))
  private static let typed = TextEdit.insertSecurely(SecureText("blue kettle"))

  @Test(
    "CHK-3: what was typed goes to the request that waits, and the sheet closes when that has ended"
  )
  func answers() async {
    let answers = LockedAnswers()
    let store = TestStore(initialState: PromptFeature.State()) {
      PromptFeature()
    } withDependencies: {
      $0.secretPromptClient.answer = { answers.note($0, $1) }
    }
    await store.send(.asked(Self.request)) { $0.request = Self.request }
    await store.send(.sendButtonTapped)
    await store.send(.edited(Self.typed)) { $0.secret.apply(Self.typed) }
    await store.send(.sendButtonTapped) { $0.isChecking = true }
    await store.finish()
    // While the request is made, nothing is typed or sent again.
    await store.send(.edited(Self.typed))
    await store.send(.sendButtonTapped)
    await store.send(.closeButtonTapped)
    await store.send(.ended) { $0 = PromptFeature.State() }
    await store.send(.asked(Self.request)) { $0.request = Self.request }
    await store.send(.closeButtonTapped) { $0 = PromptFeature.State() }
    await store.finish()
    #expect(answers.all == ["7: blue kettle", "7: -"])
  }

  @Test("CHK-3: a wrong passphrase is said under an empty field")
  func wrong() async {
    let store = TestStore(initialState: PromptFeature.State()) {
      PromptFeature()
    } withDependencies: {
      $0.secretPromptClient.answer = { _, _ in }
    }
    var again = Self.request
    again.error = GateError.wrong.text
    await store.send(.asked(Self.request)) { $0.request = Self.request }
    await store.send(.edited(Self.typed)) { $0.secret.apply(Self.typed) }
    await store.send(.sendButtonTapped) { $0.isChecking = true }
    await store.send(.asked(again)) {
      $0 = PromptFeature.State()
      $0.request = again
    }
    await store.send(.edited(Self.typed)) {
      $0.secret.apply(Self.typed)
      $0.request?.error = nil
    }
  }

  /// Calls a gated client, answering its prompts in turn.
  private func remove(
    _ answers: [String?], by gate: @escaping @Sendable (Secret<String>?) -> GateError?
  ) async -> (asked: [SecretRequest?], error: ClientError?) {
    await withDependencies {
      $0.contactsClient.delete = { (_: Contact.ID) async throws(ClientError) in
        let passphrase = TypedSecrets.passphrase(for: .removeContact)
        if let error = gate(passphrase) { throw .gate(error) }
      }
      $0.watchClient.start = { () async throws(StorageError) in }
      $0.secretPromptClient = .onScreen()
    } operation: {
      @Dependency(\.secretPromptClient) var prompt
      @Dependency(\.contactsClient) var client
      let requests = prompt.requests()
      let person = Task { [prompt] in
        var asked: [SecretRequest?] = []
        for await request in requests {
          asked.append(request)
          guard let request else { break }
          prompt.answer(request.id, answers[asked.count - 1].map { Secret($0) })
        }
        return asked
      }
      var failure: ClientError?
      do throws(ClientError) { try await client.delete(UUID()) } catch { failure = error }
      return (await person.value, failure)
    }
  }

  @Test("CHK-3: after a wrong passphrase the prompt asks again and repeats the same request")
  func askedAgain() async {
    let (asked, error) = await remove(["red kettle", "blue kettle"]) { passphrase in
      switch passphrase?.value {
      case nil: .required
      case "blue kettle": nil
      default: .wrong
      }
    }
    #expect(
      asked.map(\.?.kind) == [.passphrase(.removeContact), .passphrase(.removeContact), nil])
    #expect(asked.map(\.?.error?.code) == [nil, "PASSPHRASE_WRONG", nil])
    #expect(error == nil)
  }

  @Test("CHK-3: closing the passphrase prompt fails the request with the reason")
  func closed() async {
    let (asked, error) = await remove([nil]) { $0 == nil ? .required : nil }
    #expect(asked.map(\.?.kind) == [.passphrase(.removeContact), nil])
    #expect(error == .gate(.required))
  }

  // MARK: In the app

  @Test("CHK-3: with a gate, checking in asks first, whether or not the screen knows of the gate")
  func inTheTab() async {
    let person = Typist("blue kettle")
    let store = TestStore(initialState: CheckInFeature.State(snapshot: Sample.snapshot())) {
      CheckInFeature()
    } withDependencies: {
      person.answers(in: &$0)
      $0.checkInClient.checkIn = { (source: CheckIn.Source) async throws(ClientError) in
        #expect(source == .manual)
        try person.requirePassphrase("blue kettle", for: .checkIn)
        return Sample.user
      }
    }
    await store.send(.checkInButtonTapped) { $0.request.isRunning = true }
    await store.receive(.checkedIn(Sample.user)) { $0.request.isRunning = false }
    #expect(person.asked == [.passphrase(.checkIn)])
  }

  @Test("CHK-3, AUTH-3: a lock is said with its end in the person's calendar")
  func locked() async {
    let person = Typist("red kettle")
    let store = TestStore(initialState: CheckInFeature.State(snapshot: Sample.snapshot())) {
      CheckInFeature()
    } withDependencies: {
      person.answers(in: &$0)
      $0.dateClient = .constant(Sample.now)
      $0.checkInClient.checkIn = { (_: CheckIn.Source) async throws(ClientError) in
        guard TypedSecrets.passphrase(for: .checkIn) != nil else { throw .gate(.required) }
        throw .gate(.locked(until: Sample.now + .minutes(2)))
      }
    }
    await store.send(.checkInButtonTapped) { $0.request.isRunning = true }
    await store.receive(.checkInFailed(.gate(.locked(until: Sample.now + .minutes(2))))) {
      $0.request.isRunning = false
      $0.request.failure = Failure(
        ErrorText(
          "PASSPHRASE_LOCKED", "Too many wrong passphrases.", recovery: "Try again today 08:02.",
          isRetryable: true))
    }
  }

  @Test(
    "CHK-3: cancelling an alert asks after its countdown, and keys that are still held aren't typed into the question"
  )
  func inTheEmergency() async {
    let (clock, person) = (TestClock(), Typist("blue kettle"))
    var state = EmergencyFeature.State()
    var cancellation = EmergencyFeature.Cancellation(openedAt: Sample.now)
    cancellation.isHolding = true
    state.phase = .confirmingCancellation(cancellation)
    let store = TestStore(initialState: state) {
      EmergencyFeature()
    } withDependencies: {
      person.answers(in: &$0)
      $0.continuousClock = clock
      $0.alertClient.cancel = { () async throws(ClientError) in
        try person.requirePassphrase("blue kettle", for: .cancelAlert)
        return Sample.alert
      }
    }
    await store.send(.cancellationHoldEnded) {
      $0.phase = .storingCancellation
      $0.isLingering = true
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.lingeringEnded) { $0.isLingering = false }
    await store.receive(.cancelled(Sample.alert)) { $0.phase = .idle }
    #expect(person.asked == [.passphrase(.cancelAlert)])
  }

  @Test("CHK-3: no recording and no description holds a passphrase or a password")
  func secrets() throws {
    let secret = Secret("blue kettle")
    let actions: [AppFeature.Action] = [
      .authentication(.form(.edited(.password, Self.typed))),
      .authentication(.signUpChecked(Credentials(email: "a@b.c", password: secret))),
      .main(.prompt(.edited(Self.typed))),
      .main(.sheet(GateFormFeature.self, .form(.edited(.duress, Self.typed)))),
    ]
    for action in actions {
      let json = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
      #expect(!json.contains("kettle"))
      #expect(!String(describing: action).contains("kettle"))
    }
    var state = PromptFeature.State()
    state.secret.apply(Self.typed)
    #expect(!String(reflecting: state).contains("kettle"))
    #expect(!describe(state).contains("kettle"))
  }
}

private final class LockedAnswers: Sendable {
  private let answers = Mutex<[String]>([])
  var all: [String] { answers.withLock { $0 } }
  func note(_ id: SecretRequest.ID, _ secret: Secret<String>?) {
    answers.withLock { $0.append("\(id): \(secret?.value ?? "-")") }
  }
}

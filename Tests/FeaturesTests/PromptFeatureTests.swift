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

  @Test("CHK-3: what was typed goes to the request that waits, and the sheet closes")
  func answers() async {
    let answers = LockedAnswers()
    let store = TestStore(initialState: PromptFeature.State()) {
      PromptFeature()
    } withDependencies: {
      $0.secretPromptClient.answer = { answers.note($0, $1) }
    }
    await store.send(.asked(Self.request)) { $0.request = Self.request }
    await store.send(.sendButtonTapped)
    let edit = TextEdit.insertSecurely(SecureText("blue kettle"))
    await store.send(.edited(edit)) { $0.secret.apply(edit) }
    await store.send(.sendButtonTapped) { $0 = PromptFeature.State() }
    await store.finish()
    await store.send(.asked(Self.request)) { $0.request = Self.request }
    await store.send(.closeButtonTapped) { $0 = PromptFeature.State() }
    await store.finish()
    #expect(answers.all == ["7: blue kettle", "7: -"])
  }

  /// Calls a gated client, answering its prompts in turn.
  private func remove(
    _ answers: [String?], by gate: @escaping @Sendable (Secret<String>?) -> GateError?
  ) async -> (asked: [SecretRequest], error: ClientError?) {
    var values = DependencyValues()
    values.contactsClient.delete = {
      (_: Contact.ID, passphrase: Secret<String>?) async throws(ClientError) in
      if let error = gate(passphrase) { throw .gate(error) }
    }
    values.askForSecrets()
    let (prompt, client) = (values.secretPromptClient, values.contactsClient)
    let requests = prompt.requests()
    let person = Task {
      var asked: [SecretRequest] = []
      for await request in requests {
        asked.append(request)
        prompt.answer(request.id, answers[asked.count - 1].map { Secret($0) })
        if asked.count == answers.count { break }
      }
      return asked
    }
    var failure: ClientError?
    do throws(ClientError) { try await client.delete(UUID(), nil) } catch { failure = error }
    return (await person.value, failure)
  }

  @Test("CHK-3: a wrong passphrase is asked for again, and the request made again as it was")
  func askedAgain() async {
    let (asked, error) = await remove(["red kettle", "blue kettle"]) { passphrase in
      switch passphrase?.value {
      case nil: .required
      case "blue kettle": nil
      default: .wrong
      }
    }
    #expect(asked.map(\.kind) == [.passphrase(.removeContact), .passphrase(.removeContact)])
    #expect(asked.map(\.error?.code) == [nil, "PASSPHRASE_WRONG"])
    #expect(error == nil)
  }

  @Test("CHK-3: closing the sheet changes nothing, and says why")
  func closed() async {
    let (asked, error) = await remove([nil]) { $0 == nil ? .required : nil }
    #expect(asked.count == 1 && error == .gate(.required))
  }
}

private final class LockedAnswers: Sendable {
  private let answers = Mutex<[String]>([])
  var all: [String] { answers.withLock { $0 } }
  func note(_ id: SecretRequest.ID, _ secret: Secret<String>?) {
    answers.withLock { $0.append("\(id): \(secret?.value ?? "-")") }
  }
}

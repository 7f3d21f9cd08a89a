import Clients
import Composable
import Domain
import Synchronization

/// A person who answers the questions for the passphrase, in turn.
final class Typist: Sendable {
  private let answers: Mutex<[String?]>
  private let kinds = Mutex<[SecretRequest.Kind]>([])

  init(_ answers: String?...) { self.answers = Mutex(answers) }
  init(_ answers: [String?]) { self.answers = Mutex(answers) }

  /// What the person was asked for.
  var asked: [SecretRequest.Kind] { kinds.withLock(\.self) }

  /// Makes the person answer what clients ask for; a monitor starts.
  func answers(in values: inout DependencyValues) {
    values.secretPromptClient = SecretPromptClient(ask: { request in
      self.kinds.withLock { $0.append(request.kind) }
      return self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }.map { Secret($0) }
    })
    values.watchClient.start = { () async throws(StorageError) in }
  }

  /// Behaves as the gate of an operation, in a client of a test. Without a passphrase given, any one
  /// opens it.
  func requirePassphrase(
    _ right: String..., for operation: GatedOperation
  ) throws(ClientError) {
    guard let typed = TypedSecrets.passphrase(for: operation) else { throw .gate(.required) }
    guard right.isEmpty || right.contains(typed.value) else { throw .gate(.wrong) }
  }
}

public import Composable
public import Domain
import FoundationEssentials
import Synchronization

/// A request of the store that waits until the person has typed a passphrase or their password.
public struct SecretRequest: Identifiable, Equatable, Codable, Sendable {
  public enum Kind: Equatable, Codable, Sendable {
    case passphrase(GatedOperation)
    case password
  }

  public let id: Int
  public var kind: Kind
  /// What was wrong with what was typed before.
  public var error: ErrorText?

  public init(id: Int, kind: Kind, error: ErrorText? = nil) {
    self.id = id
    self.kind = kind
    self.error = error
  }
}

/// Asks on screen for what a request needs, wherever it was made (CHK-3, AUTH-5): with it the request
/// is made again, exactly as it was.
public struct SecretPromptClient: Sendable {
  /// What is asked, one after the other.
  public var requests: @Sendable () -> AsyncStream<SecretRequest>
  /// What the person typed; `nil` where they closed the question.
  public var answer: @Sendable (SecretRequest.ID, Secret<String>?) -> Void

  public init(
    requests: @escaping @Sendable () -> AsyncStream<SecretRequest>,
    answer: @escaping @Sendable (SecretRequest.ID, Secret<String>?) -> Void
  ) {
    self.requests = requests
    self.answer = answer
  }

  /// Nothing is asked, as where nobody looks.
  public static let silent = Self(requests: { .finished }, answer: { _, _ in })
}

extension AsyncStream {
  fileprivate static var finished: Self { Self { $0.finish() } }
}

extension SecretPromptClient: DependencyKey {
  /// Silent until the composition root gives it a screen.
  public static var liveValue: Self { .silent }
  public static var testValue: Self { .silent }
}

extension DependencyValues {
  public var secretPromptClient: SecretPromptClient {
    get { self[SecretPromptClient.self] }
    set { self[SecretPromptClient.self] = newValue }
  }

  /// Has every request that the gate or the password refuses ask on screen, where the screens do not
  /// ask themselves. Called once, by the composition root.
  public mutating func askForSecrets() {
    let prompter = SecretPrompter()
    secretPromptClient = SecretPromptClient(
      requests: { prompter.requests() }, answer: { prompter.answer($0, $1) })
    userClient.updateProfile = {
      [base = userClient.updateProfile] (profile, password, passphrase) async throws(ClientError) in
      try await prompter.asking(.changeAddress) { (typed) async throws(ClientError) in
        try await base(profile, typed.password ?? password, typed.passphrase ?? passphrase)
      }
    }
    prompter.ask(.weakenEscalation, for: &userClient.updateEscalation)
    prompter.ask(.allowLinks, for: &userClient.allowLinkCheckIn)
    prompter.ask(.lengthenInterval, for: &checkInClient.updateInterval)
    prompter.ask(.weakenContact, for: &contactsClient.update)
    prompter.ask(.removeContact, for: &contactsClient.delete)
    prompter.ask(.removeRole, for: &contactsClient.setRoles)
    prompter.ask(.removeChannel, for: &channelsClient.remove)
    prompter.ask(.replaceSecret, for: &channelsClient.replaceSecret)
    prompter.ask(.muteChannel, for: &channelsClient.setMuted)
    prompter.ask(.changeStandby, for: &standbyClient.update)
    prompter.ask(.changeSecret, for: &mailSettingsClient.save)
    prompter.ask(.changePassword, asksPassword: false, for: &authClient.updatePassword)
  }
}

extension ErrorText {
  /// The answer to a wrong password of a person who is signed in, whose address is known.
  public static let wrongPassword = ErrorText(
    "PASSWORD_WRONG", "The password is wrong.", recovery: "Type it again.")
}

/// Makes requests again with what the person types.
private final class SecretPrompter: Sendable {
  struct Typed: Sendable {
    var passphrase: Secret<String>?
    var password: Secret<String>?
  }

  private struct Waiting {
    var request: SecretRequest
    var continuation: CheckedContinuation<Secret<String>?, Never>
  }

  private struct Contents {
    var lastID = 0
    /// The first one is being asked.
    var waiting: [Waiting] = []
    var asker: AsyncStream<SecretRequest>.Continuation?
  }

  private let contents = Mutex(Contents())

  func asking<Value>(
    _ operation: GatedOperation, asksPassword: Bool = true,
    _ request: (Typed) async throws(ClientError) -> Value
  ) async throws(ClientError) -> Value {
    var typed = Typed()
    while true {
      do throws(ClientError) { return try await request(typed) } catch {
        switch error.gateError {
        case .required: typed.passphrase = await ask(.passphrase(operation))
        case .wrong: typed.passphrase = await ask(.passphrase(operation), error.text)
        case .locked, .afterReset: throw error
        case nil:
          guard asksPassword, error == .invalidCredentials else { throw error }
          typed.password = await ask(.password, typed.password == nil ? nil : .wrongPassword)
          guard typed.password != nil else { throw error }
          continue
        }
        guard typed.passphrase != nil else { throw error }
      }
    }
  }

  // A closure takes nothing after a pack of arguments: there is one for each count of them.

  /// Has a request that the gate refuses ask for its passphrase, which is its last argument.
  func ask<A: Sendable, Value>(
    _ operation: GatedOperation,
    for request: inout @Sendable (A, Secret<String>?) async throws(ClientError) -> Value
  ) {
    request = { [base = request] (a, passphrase) async throws(ClientError) in
      try await self.asking(operation) { (typed) async throws(ClientError) in
        try await base(a, typed.passphrase ?? passphrase)
      }
    }
  }

  func ask<A: Sendable, B: Sendable, Value>(
    _ operation: GatedOperation, asksPassword: Bool = true,
    for request: inout @Sendable (A, B, Secret<String>?) async throws(ClientError) -> Value
  ) {
    request = { [base = request] (a, b, passphrase) async throws(ClientError) in
      try await self.asking(operation, asksPassword: asksPassword) {
        (typed) async throws(ClientError) in
        try await base(a, b, typed.passphrase ?? passphrase)
      }
    }
  }

  func ask<A: Sendable, B: Sendable, C: Sendable, Value>(
    _ operation: GatedOperation,
    for request: inout @Sendable (A, B, C, Secret<String>?) async throws(ClientError) -> Value
  ) {
    request = { [base = request] (a, b, c, passphrase) async throws(ClientError) in
      try await self.asking(operation) { (typed) async throws(ClientError) in
        try await base(a, b, c, typed.passphrase ?? passphrase)
      }
    }
  }

  private func ask(_ kind: SecretRequest.Kind, _ error: ErrorText? = nil) async -> Secret<String>? {
    let id = contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAsked = contents.withLock { contents in
          // Where nobody looks, or waits any more, nobody answers.
          guard let asker = contents.asker, !Task.isCancelled else { return false }
          let request = SecretRequest(id: id, kind: kind, error: error)
          contents.waiting.append(Waiting(request: request, continuation: continuation))
          if contents.waiting.count == 1 { asker.yield(request) }
          return true
        }
        if !isAsked { continuation.resume(returning: nil) }
      }
    } onCancel: {
      answer(id, nil)
    }
  }

  func answer(_ id: SecretRequest.ID, _ secret: Secret<String>?) {
    let continuation = contents.withLock { contents in
      let index = contents.waiting.firstIndex { $0.request.id == id }
      guard let index else { return CheckedContinuation<Secret<String>?, Never>?.none }
      let answered = contents.waiting.remove(at: index)
      if index == 0, let next = contents.waiting.first { contents.asker?.yield(next.request) }
      return answered.continuation
    }
    continuation?.resume(returning: secret)
  }

  func requests() -> AsyncStream<SecretRequest> {
    AsyncStream { continuation in
      contents.withLock { contents in
        contents.asker = continuation
        if let first = contents.waiting.first { continuation.yield(first.request) }
      }
    }
  }
}

public import Composable
public import Domain
import FoundationEssentials
import Synchronization

/// A question for a passphrase or the password, for which a request to the store is waiting.
public struct SecretRequest: Identifiable, Equatable, Codable, Sendable {
  public enum Kind: Equatable, Codable, Sendable {
    case passphrase(GatedOperation)
    case password
  }

  public let id: Int
  public var kind: Kind
  /// The error of the previous attempt, or `nil`.
  public var error: ErrorText?

  public init(id: Int, kind: Kind, error: ErrorText? = nil) {
    self.id = id
    self.kind = kind
    self.error = error
  }
}

/// The prompt on screen for the secret that a request needs, wherever the request was made (CHK-3,
/// AUTH-5). The request is then repeated unchanged.
public struct SecretPromptClient: Sendable {
  /// The questions, one after the other.
  public var requests: @Sendable () -> AsyncStream<SecretRequest>
  /// Answers a question with what the person typed, or `nil` if they closed it.
  public var answer: @Sendable (SecretRequest.ID, Secret<String>?) -> Void

  public init(
    requests: @escaping @Sendable () -> AsyncStream<SecretRequest>,
    answer: @escaping @Sendable (SecretRequest.ID, Secret<String>?) -> Void
  ) {
    self.requests = requests
    self.answer = answer
  }

  /// Asks nothing, for programs without a screen.
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

  /// Makes every request that the gate or the password refuses ask on screen, unless a screen asks
  /// for the secret itself. Called once, by the composition root.
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
  /// The error for a wrong password of a signed-in person, whose address is known.
  public static let wrongPassword = ErrorText(
    "PASSWORD_WRONG", "The password is wrong.", recovery: "Type it again.")
}

/// Repeats requests with the secrets that the person types.
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
    /// The open questions; the first one is being asked.
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

  // A closure can't have parameters after a parameter pack, so there is an overload for each count.

  /// Makes a request that the gate refuses ask for the passphrase, which is its last argument.
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
          // Without a screen, or once the caller has gone, nobody can answer.
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

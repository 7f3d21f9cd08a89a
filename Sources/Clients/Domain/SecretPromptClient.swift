public import Composable
public import Domain
import Synchronization

/// A question for a passphrase or the password, for which a request waits.
public struct SecretRequest: Identifiable, Equatable, Codable, Sendable {
  public enum Kind: Equatable, Codable, Sendable {
    case passphrase(GatedOperation)
    case password
  }

  /// The request that waits. It may ask several times.
  public let id: Int
  public var kind: Kind
  /// The error of the previous attempt, or `nil`.
  public var error: ErrorText?

  public init(id: Int, kind: Kind, error: ErrorText? = nil) {
    self.id = id
    self.kind = kind
    self.error = error
  }

  private static let lastID = Atomic(0)

  static func newID() -> Int { lastID.add(1, ordering: .relaxed).newValue }
}

/// Asks the person for the secret that a request needs, wherever the request was made (CHK-3,
/// AUTH-5). Each ``Endpoint`` behind the gate asks by it.
public struct SecretPromptClient: Sendable {
  /// Asks a question.
  /// - Returns: What the person typed; `nil` if they closed it, or if nobody can answer.
  public var ask: @Sendable (SecretRequest) async -> Secret<String>?
  /// Called when a request that has asked has ended.
  public var ended: @Sendable (SecretRequest.ID) async -> Void
  /// The question to show, now and after every change; `nil` while there is none.
  public var requests: @Sendable () -> AsyncStream<SecretRequest?>
  /// Answers a question with what the person typed, or `nil` if they closed it.
  public var answer: @Sendable (SecretRequest.ID, Secret<String>?) -> Void

  public init(
    ask: @escaping @Sendable (SecretRequest) async -> Secret<String>?,
    ended: @escaping @Sendable (SecretRequest.ID) async -> Void = { _ in },
    requests: @escaping @Sendable () -> AsyncStream<SecretRequest?> = { AsyncStream { nil } },
    answer: @escaping @Sendable (SecretRequest.ID, Secret<String>?) -> Void = { _, _ in }
  ) {
    self.ask = ask
    self.ended = ended
    self.requests = requests
    self.answer = answer
  }

  /// Asks nothing, for programs without a person, such as a server.
  public static let silent = Self(ask: { _ in nil })

  /// Returns a client whose questions are shown on the screen that observes ``requests``.
  public static func onScreen() -> Self {
    let queue = SecretQueue()
    return Self(
      ask: { await queue.ask($0) }, ended: { queue.end($0) }, requests: { queue.requests() },
      answer: { queue.answer($0, $1) })
  }
}

extension SecretPromptClient: DependencyKey {
  /// Silent until the composition root gives it a screen or a terminal.
  public static var liveValue: Self { .silent }
  public static var testValue: Self { .silent }
}

extension DependencyValues {
  public var secretPromptClient: SecretPromptClient {
    get { self[SecretPromptClient.self] }
    set { self[SecretPromptClient.self] = newValue }
  }
}

extension ErrorText {
  /// The error for a wrong password of a signed-in person, whose address is known.
  public static let wrongPassword = ErrorText(
    "PASSWORD_WRONG", "The password is wrong.", recovery: "Type it again.")
}

/// The questions that wait for the screen. The first one stays on it until its request has ended.
private final class SecretQueue: Sendable {
  private struct Question {
    var request: SecretRequest
    /// `nil` once it is answered, while its request is being made.
    var continuation: CheckedContinuation<Secret<String>?, Never>?
  }

  private struct Contents {
    var questions: [Question] = []
    var screen: AsyncStream<SecretRequest?>.Continuation?

    /// Shows the first question, if it is still to be answered.
    func show() {
      guard let first = questions.first else {
        screen?.yield(nil)
        return
      }
      if first.continuation != nil { screen?.yield(first.request) }
    }
  }

  private let contents = Mutex(Contents())

  func ask(_ request: SecretRequest) async -> Secret<String>? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAsked = contents.withLock { contents in
          // Without a screen, or once the caller has gone, nobody can answer.
          guard contents.screen != nil, !Task.isCancelled else { return false }
          let question = Question(request: request, continuation: continuation)
          let index = contents.questions.firstIndex { $0.request.id == request.id }
          if let index {
            contents.questions[index] = question
          } else {
            contents.questions.append(question)
          }
          if contents.questions.first?.request.id == request.id { contents.show() }
          return true
        }
        if !isAsked { continuation.resume(returning: nil) }
      }
    } onCancel: {
      answer(request.id, nil)
    }
  }

  func answer(_ id: SecretRequest.ID, _ secret: Secret<String>?) {
    contents.withLock { contents in
      let index = contents.questions.firstIndex { $0.request.id == id }
      return index.flatMap { contents.questions[$0].continuation.take() }
    }?.resume(returning: secret)
  }

  func end(_ id: SecretRequest.ID) {
    contents.withLock { contents in
      guard let index = contents.questions.firstIndex(where: { $0.request.id == id }) else {
        return
      }
      contents.questions.remove(at: index)
      if index == 0 { contents.show() }
    }
  }

  func requests() -> AsyncStream<SecretRequest?> {
    AsyncStream { continuation in
      contents.withLock { contents in
        contents.screen = continuation
        if !contents.questions.isEmpty { contents.show() }
      }
    }
  }
}

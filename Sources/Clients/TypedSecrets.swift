import Composable
public import Domain
import Synchronization

/// The secrets that a person typed for one call of an ``Endpoint``. They are no arguments: a platform
/// reads them while it carries out the call, and only for the operation that they were typed for
/// (CHK-3).
public struct TypedSecrets: Sendable {
  @TaskLocal private static var call: Call?

  /// What was typed for the call in progress; `nil` outside of one.
  static var current: Self? { call?.secrets.withLock(\.self) }

  let operation: GatedOperation
  package var passphrase: Secret<String>?
  package var password: Secret<String>?

  package init(
    for operation: GatedOperation, passphrase: Secret<String>? = nil,
    password: Secret<String>? = nil
  ) {
    self.operation = operation
    self.passphrase = passphrase
    self.password = password
  }

  /// Returns the passphrase that was typed for an operation; `nil` if none was, or for another one.
  public static func passphrase(for operation: GatedOperation) -> Secret<String>? {
    current.flatMap { $0.operation == operation ? $0.passphrase : nil }
  }

  /// Returns the password that was typed for an operation; `nil` if none was, or for another one.
  public static func password(for operation: GatedOperation) -> Secret<String>? {
    current.flatMap { $0.operation == operation ? $0.password : nil }
  }

  package typealias Field = any WritableKeyPath<Self, Secret<String>?> & Sendable

  /// Returns what was typed for a call of an endpoint: `nil` for each secret that wasn't.
  package static func values(for endpoint: some NamedEndpoint) -> [Secret<String>?] {
    endpoint.secrets.map { field in
      current.flatMap { endpoint.gates.contains($0.operation) ? $0[keyPath: field] : nil }
    }
  }

  /// Creates the secrets for an endpoint with one gate; `nil` for one that asks for none.
  package init?(
    for endpoint: some NamedEndpoint, reading next: () throws -> Secret<String>?
  ) rethrows {
    guard let operation = endpoint.gates.first else { return nil }
    self.init(for: operation)
    for field in endpoint.secrets { self[keyPath: field] = try next() }
  }

  /// Makes requests with these secrets. They ask for no others.
  package nonisolated(nonsending) func during<Value, Failure: Error>(
    _ request: nonisolated(nonsending) () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let call = Call(self)
    defer { call.secrets.withLock { $0 = nil } }
    return try await Self.$call.withValue(call) { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await request()) } catch { return .failure(error) }
    }.get()
  }

  /// A call, whose tasks may outlive it. They find nothing then.
  private final class Call: Sendable {
    let secrets: Mutex<TypedSecrets?>
    init(_ secrets: TypedSecrets) { self.secrets = Mutex(secrets) }
  }
}

/// A call of an ``Endpoint`` behind the gate. It asks the person for the secrets that the platform
/// misses, and makes the same call with them (CHK-3).
struct GatedCall {
  private var typed: TypedSecrets
  private let asksPassword: Bool
  private let id = SecretRequest.newID()
  private var hasAsked = false
  private let prompt = DependencyValues.current.secretPromptClient

  init(_ operation: GatedOperation, asksPassword: Bool) {
    typed = TypedSecrets(for: operation)
    self.asksPassword = asksPassword
  }

  nonisolated(nonsending) mutating func run<Value, Failure: ClientFailure>(
    _ request: nonisolated(nonsending) () async -> Result<Value, Failure>
  ) async -> Result<Value, Failure> {
    while true {
      let result = await typed.during(request)
      // A passphrase may have raised a silent alert, which a monitor has to send. One is started
      // whatever was typed and whatever was answered, so that it reveals nothing.
      if typed.passphrase != nil { try? await DependencyValues.current.watchClient.start() }
      if case .failure(let error) = result, await ask(after: error) { continue }
      if hasAsked { await prompt.ended(id) }
      return result
    }
  }

  /// Asks for the secret that an error calls for.
  /// - Returns: Whether something was typed.
  private mutating func ask(after error: any Error) async -> Bool {
    guard let error = error as? ClientError else { return false }
    switch error.gateError {
    case .required: typed.passphrase = await answer(to: .passphrase(typed.operation))
    case .wrong: typed.passphrase = await answer(to: .passphrase(typed.operation), error.text)
    case .locked, .afterReset: return false
    case nil:
      guard asksPassword, error == .invalidCredentials else { return false }
      typed.password = await answer(to: .password, typed.password == nil ? nil : .wrongPassword)
      return typed.password != nil
    }
    return typed.passphrase != nil
  }

  private mutating func answer(
    to kind: SecretRequest.Kind, _ error: ErrorText? = nil
  ) async -> Secret<String>? {
    hasAsked = true
    return await prompt.ask(SecretRequest(id: id, kind: kind, error: error))
  }
}

import Clients
import FoundationEssentials
import Glibc
import System
import Synchronization

/// The desktop's keyring (the Secret Service of freedesktop.org), through the program
/// `secret-tool`.
///
/// A secret is passed to the program on standard input, and never among its arguments.
final class Keyring: Sendable {
  private let program: String
  private let variables: [String: String]
  private let store: String
  private let limit: Duration
  /// Whether it failed to answer once: waiting again for each message would hold up all of them.
  private let isUnresponsive = Mutex(false)

  /// - Parameters:
  ///   - store: The path of the folder of the store that the secrets belong to.
  ///   - program: A path, or a name to find in `PATH`.
  ///   - variables: Variables that are added to the environment.
  ///   - limit: The time after which it is given up: it may be locked, with nobody there to unlock
  ///     it.
  init(
    store: String, program: String = "secret-tool", variables: [String: String] = [:],
    limit: Duration = .seconds(5)
  ) {
    self.store = store
    self.program = program
    self.variables = variables
    self.limit = limit
  }

  /// Returns `nil` if there is no session bus, through which the keyring is reached.
  convenience init?(store: String, environment: [String: String]) {
    let hasAddress = environment["DBUS_SESSION_BUS_ADDRESS"].map { !$0.isEmpty } ?? false
    let hasSocket = environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    guard hasAddress || hasSocket else { return nil }
    self.init(store: store)
  }

  enum Failure: Error, Equatable {
    /// The program isn't installed.
    case absent
    /// The keyring is locked, isn't running, or denies access.
    case noAnswer
  }

  /// Returns the secret, or `nil` if there is none.
  func secret(_ name: String) async throws(Failure) -> String? {
    let result = try await run(["lookup"], name, outputLimit: SecretCommandRun.sizeLimit)
    switch result.end {
    case .exited(0):
      guard !result.exceededOutputLimit,
        let secret = String(validating: result.output, as: UTF8.self)
      else { throw .noAnswer }
      return secret
    // It prints nothing if there is no such secret.
    case .exited(1) where result.complaint.isEmpty: return nil
    default: throw .noAnswer
    }
  }

  func keep(_ secret: String, as name: String) async throws(Failure) {
    let label = "--label=LifeSignal: \(name)"
    let result = try await run(["store", label], name, input: Array(secret.utf8))
    guard result.end == .exited(0) else { throw .noAnswer }
  }

  /// Deletes a secret. A missing one isn't an error.
  func delete(_ name: String) async throws(Failure) {
    // Checked first, because the program fails if there is nothing to delete.
    guard try await secret(name) != nil else { return }
    let result = try await run(["clear"], name)
    guard result.end == .exited(0) else { throw .noAnswer }
  }

  private func run(
    _ words: [String], _ name: String, input: [UInt8] = [], outputLimit: Int = 0
  ) async throws(Failure) -> Subprocess.Result {
    guard !isUnresponsive.withLock({ $0 }) else { throw .noAnswer }
    let attributes = ["application", "lifesignal", "store", store, "name", name]
    let result = await Subprocess.run(
      program, words + attributes, variables: variables, input: input, outputLimit: outputLimit,
      within: limit)
    if result.end == .notFound { throw .absent }
    if result.end == .tookTooLong { isUnresponsive.withLock { $0 = true } }
    return result
  }
}

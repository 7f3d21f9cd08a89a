import Clients
import Composable
import Domain
import Synchronization

extension CommandDeclaration.ExitCodeDeclaration {
  /// The exit code of commands behind the gate.
  static let locked = Self(
    code: .locked, help: "The passphrase is missing or wrong")
}

extension Invocation {
  /// Makes requests, and answers their questions for the passphrase with a line from the terminal or
  /// standard input (CHK-3). Only one line is read, so a wrong passphrase ends the command.
  /// - Parameters:
  ///   - line: The line of several calls for one command.
  ///   - startMonitor: Starts the monitor that sends a silent alert, if it isn't the store's.
  func passingGate<Value>(
    with line: PassphraseLine? = nil, _ request: () async throws -> Value,
    startMonitor: (@Sendable () async -> Void)? = nil
  ) async throws -> Value {
    let line = line ?? PassphraseLine(self)
    do {
      return try await withDependencies {
        $0.secretPromptClient = SecretPromptClient(ask: { $0.error == nil ? line.read() : nil })
        if let startMonitor {
          var watch = WatchClient()
          watch.start = { () async throws(StorageError) in await startMonitor() }
          $0.watchClient = watch
        }
      } operation: {
        try await request()
      }
    } catch {
      guard let refused = error as? ClientError, let gate = refused.gateError else { throw error }
      if gate == .required, let failure = line.failure { throw failure }
      throw CommandFailure(refused, exitCode: .locked)
    }
  }

  /// Passes the gate for an operation on the machine rather than on one account. Silent alerts are
  /// sent first, because afterwards no monitor may be left to send them. A store that can't be read
  /// has no gate.
  func passingGate(of operation: GatedOperation, _ folders: Folders) async throws {
    guard machine.entry(folders.database) != .nothing,
      let authClient = clients(folders)?.authClient
    else { return }
    let line = PassphraseLine(self)
    try await passingGate(with: line) {
      do throws(ClientError) {
        try await authClient.passGate(operation)
      } catch {
        // It opens, but the account can't be read.
        guard !line.isRead, case .storage(let fault) = error, fault.isDamage else { throw error }
      }
    } startMonitor: {
      guard let monitor = try? machine.monitorProgram() else { return }
      _ = await machine.run([monitor, "--once"])
    }
  }

  /// Starts a monitor if an alert may be waiting: one raised while there was no store, or one
  /// raised silently behind the gate.
  /// - Returns: Whether a waiting alert can be shown to the user.
  func sendWaitingAlerts(_ folders: Folders) async -> Bool {
    guard let clients = clients(folders) else { return false }
    let waiting = await clients.monitorClient.spooled()
    let user = try? await clients.userClient.currentUser()
    if !waiting.isEmpty || user?.locks.contains(.gate) == true {
      try? await clients.watchClient.start()
    }
    return waiting.contains { $0.armed != nil }
  }

  /// Returns the clients of the store, or `nil` if it can't be opened.
  func clients(_ folders: Folders) -> DependencyValues? {
    guard let provide = try? storeAccess.open(folders, nil, false) else { return nil }
    return DependencyValues(CompositionRoot(self).withLocalFiles(provide))
  }
}

/// The line with the passphrase, which is read when a command first needs it.
final class PassphraseLine: Sendable {
  private let readSecret: @Sendable (String) throws(SecretError) -> String
  private let result = Mutex<Result<String, SecretError>?>(nil)

  init(_ invocation: Invocation) { readSecret = invocation.readSecret }

  /// Whether a passphrase was read.
  var isRead: Bool { (try? result.withLock(\.self)?.get()) != nil }

  /// Why none was read, or `nil`.
  var failure: (any Error)? {
    guard case .failure(let error) = result.withLock(\.self) else { return nil }
    guard error == .empty || error == .ended else { return error }
    return CommandFailure(
      "This needs the passphrase.",
      advice: "Type it in a terminal, or pipe it into standard input.", exitCode: .locked)
  }

  /// Returns the passphrase, or `nil` if none can be read.
  func read() -> Secret<String>? {
    result.withLock { result in
      let typed = result ?? Result { () throws(SecretError) in try readSecret("Passphrase: ") }
      result = typed
      return (try? typed.get()).map { Secret($0) }
    }
  }
}

import Clients
import Composable
import Domain

extension CommandDeclaration.ExitCodeDeclaration {
  /// Of the commands behind the gate.
  static let locked = Self(
    code: .locked, help: "The passphrase is missing or wrong")
}

extension Invocation {
  /// Makes a request; where the gate asks for its passphrase, asks for it and makes it again (CHK-3).
  func passingGate<Value>(_ request: (Secret<String>?) async throws -> Value) async throws -> Value
  {
    @Dependency(\.watchClient) var watchClient
    return try await passingGate(request) { try? await watchClient.start() }
  }

  /// - Parameter startMonitor: A silent alert may have been raised, which somebody has to send. It is
  ///   called whatever was typed, so that nothing shows it.
  func passingGate<Value>(
    _ request: (Secret<String>?) async throws -> Value, startMonitor: () async -> Void
  ) async throws -> Value {
    do { return try await request(nil) } catch {
      guard let gated = error as? ClientError, let gate = gated.gateError else { throw error }
      guard gate == .required else { throw CommandFailure(gated, exitCode: .locked) }
    }
    let passphrase = try readPassphrase()
    do {
      let value = try await request(passphrase)
      await startMonitor()
      return value
    } catch {
      await startMonitor()
      guard let gated = error as? ClientError, gated.gateError != nil else { throw error }
      throw CommandFailure(gated, exitCode: .locked)
    }
  }

  /// Passes the gate for what is done to the machine rather than to one account. What may have been
  /// raised silently is sent before that is done, since nobody may be left who could. A store that
  /// cannot be read has no gate to ask.
  func passingGate(of operation: GatedOperation, _ folders: Folders) async throws {
    guard machine.entry(folders.database) != .nothing,
      let authClient = clients(folders)?.authClient
    else { return }
    try await passingGate { passphrase in
      try await authClient.passGate(operation, passphrase)
    } startMonitor: {
      guard let monitor = try? machine.monitorProgram() else { return }
      _ = await machine.run([monitor, "--once"])
    }
  }

  /// Has a monitor send what waits: an alert that was raised while there was no store to keep it, or one
  /// that may have been raised silently behind the gate.
  /// - Returns: Whether an alert waits that its person may see.
  func sendWaitingAlerts(_ folders: Folders) async -> Bool {
    guard let clients = clients(folders) else { return false }
    let waiting = await clients.monitorClient.spooled()
    let user = try? await clients.userClient.currentUser()
    if !waiting.isEmpty || user?.locks.contains(.gate) == true {
      try? await clients.watchClient.start()
    }
    return waiting.contains { $0.armed != nil }
  }

  /// The clients of a store that can be read.
  func clients(_ folders: Folders) -> DependencyValues? {
    guard let provide = try? storeAccess.open(folders, nil, false) else { return nil }
    return DependencyValues(CompositionRoot(self).withLocalFiles(provide))
  }

  private func readPassphrase() throws -> Secret<String> {
    do throws(SecretError) { return Secret(try readSecret("Passphrase: ")) } catch {
      guard error == .empty || error == .ended else { throw error }
      throw CommandFailure(
        "This needs the passphrase.",
        advice: "Type it in a terminal, or pipe it into standard input.", exitCode: .locked)
    }
  }
}

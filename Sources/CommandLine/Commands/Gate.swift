import Clients
import Composable
import Domain

extension CommandDeclaration.ExitCodeDeclaration {
  /// The exit code of commands behind the gate.
  static let locked = Self(
    code: .locked, help: "The passphrase is missing or wrong")
}

extension Invocation {
  /// Makes a request. If the gate requires its passphrase, asks for it and repeats the request
  /// (CHK-3).
  func passingGate<Value>(_ request: (Secret<String>?) async throws -> Value) async throws -> Value
  {
    @Dependency(\.watchClient) var watchClient
    return try await passingGate(request) { try? await watchClient.start() }
  }

  /// - Parameter startMonitor: Starts a monitor, in case a silent alert was raised that must be
  ///   sent. Called whatever was typed, so that it reveals nothing.
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

  /// Passes the gate for an operation on the machine rather than on one account. Silent alerts are
  /// sent first, because afterwards no monitor may be left to send them. A store that can't be read
  /// has no gate.
  func passingGate(of operation: GatedOperation, _ folders: Folders) async throws {
    guard machine.entry(folders.database) != .nothing,
      let authClient = clients(folders)?.authClient
    else { return }
    try await passingGate { passphrase in
      do throws(ClientError) {
        try await authClient.passGate(operation, passphrase)
      } catch {
        // It opens, but the account can't be read.
        guard passphrase == nil, case .storage(let fault) = error, fault.isDamage else {
          throw error
        }
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

  private func readPassphrase() throws -> Secret<String> {
    do throws(SecretError) { return Secret(try readSecret("Passphrase: ")) } catch {
      guard error == .empty || error == .ended else { throw error }
      throw CommandFailure(
        "This needs the passphrase.",
        advice: "Type it in a terminal, or pipe it into standard input.", exitCode: .locked)
    }
  }
}

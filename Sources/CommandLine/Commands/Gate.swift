import Clients
import Domain

/// An error that may come from the passphrase gate (CHK-3).
protocol GatedError: AppError {
  var gateError: GateError? { get }
}

extension CheckInError: GatedError {
  var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension AlertError: GatedError {
  var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension AuthError: GatedError {
  var gateError: GateError? { if case .gate(let error) = self { error } else { nil } }
}

extension CommandDeclaration.ExitCodeDeclaration {
  /// Of the commands behind the gate.
  static let locked = Self(
    code: .locked, help: "The passphrase that guards this is missing or wrong")
}

extension Invocation {
  /// Makes a request; where the gate asks for its passphrase, asks for it and makes it again (CHK-3).
  func passingGate<Value, Failure: GatedError>(
    _ request: (Secret<String>?) async throws(Failure) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(Failure) { return try await request(nil) } catch {
      switch error.gateError {
      case nil: throw CommandFailure(error)
      case .required: break
      case .wrong, .locked: throw CommandFailure(error, exitCode: .locked)
      }
    }
    let passphrase = try readPassphrase()
    do throws(Failure) { return try await request(passphrase) } catch {
      throw CommandFailure(error, exitCode: error.gateError == nil ? .failure : .locked)
    }
  }

  private func readPassphrase() throws(CommandFailure) -> Secret<String> {
    do throws(SecretError) { return Secret(try readSecret("Passphrase: ")) } catch {
      guard error == .empty else { throw CommandFailure(error) }
      throw CommandFailure(
        "A passphrase guards this, and none was given.",
        advice: "Type it on a terminal, or pipe it into standard input.", exitCode: .locked)
    }
  }
}

import Clients
import Composable
import Domain

/// Asks for the passphrase of the gate, where there is one (CHK-3). It is never an argument, because
/// arguments can be read by every user of the machine.
struct GatePassphrase: Sendable {
  let invocation: Invocation
  @Dependency(\.userClient) var userClient

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// - Returns: `nil` where there is no gate.
  func ask() async throws(CommandFailure) -> Secret<String>? {
    let user = try await attempt { () async throws(UserError) in
      try await userClient.currentUser()
    }
    guard user.locks.contains(.gate) else { return nil }
    do { return Secret(try invocation.readSecret("Passphrase: ")) } catch {
      throw CommandFailure(error)
    }
  }
}

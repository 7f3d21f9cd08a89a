import Clients
import Composable
import Domain
import FoundationEssentials
import SharedPlatform

/// Checks what a machine that has joined a server needs: the way there, the session, and who watches there.
struct JoinedExamination: Sendable {
  let invocation: Invocation
  let server: JoinedServer
  let sendsTest: Bool

  func findings() async -> [Finding] {
    var findings: [Finding] = []
    if server.isEncrypted { findings.append(await key()) }
    var lastSeen: Date?
    if findings.allSatisfy({ $0.mark == .ok }) {
      let facts = await facts()
      lastSeen = facts?.lastSeen
      findings += (facts?.findings(sender: nil, now: invocation.now()) ?? []).map(ofServer)
    }
    if sendsTest {
      findings.append(
        .warning(
          .testDelivery, "The server sends the messages.",
          "Send a test with lifesignal channels test CHANNEL."))
    }
    return findings + [
      await Examination.clock(invocation, lastSeen: lastSeen),
      SurroundingsChecks.terminal(
        variables: invocation.variables, isTerminal: invocation.machine.hasTerminal()),
    ]
  }

  private func facts() async -> AccountFacts? {
    guard let folders = try? invocation.folders(),
      let provide = try? invocation.storeAccess.open(folders, invocation.account, false)
    else { return nil }
    return await withDependencies {
      provide(&$0)
    } operation: {
      await AccountFacts()
    }
  }

  /// Whether the server answers, with the key by which it is known.
  private func key() async -> Finding {
    let identity: ServerConnection.Identity
    do throws(NetworkError) {
      identity = try await invocation.storeAccess.servers.identify(server)
    } catch {
      return .failure(.server, error.errorDescription, error.recoverySuggestion)
    }
    let isKnown = server.fingerprint.map { $0 == identity.fingerprint } ?? identity.isTrusted
    return isKnown
      ? .ok(.server, "The server \(server.name) answers, with the key that it had when you joined.")
      : .failure(
        .server, "The server \(server.name) has another key than when you joined.",
        "Call the person who runs it, and compare \(identity.fingerprint).")
  }

  /// Nobody starts a monitor here, or sets up mail: the server's are what counts.
  private func ofServer(_ finding: Finding) -> Finding {
    guard finding.check == .watch || finding.check == .delivery, finding.mark != .ok else {
      return finding
    }
    var finding = finding
    finding.advice = "Tell the person who runs the server \(server.name)."
    return finding
  }
}

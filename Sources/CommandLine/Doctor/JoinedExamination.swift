import Clients
import Composable
import Domain
import FoundationEssentials
import SharedPlatform
import Terminal

/// Checks what a machine that has joined a server needs: the connection, the session, and a monitor
/// on the server.
struct JoinedExamination: Sendable {
  let invocation: Invocation
  let server: JoinedServer
  let sendsTest: Bool

  func findings() async -> [Finding] {
    var findings: [Finding] = []
    if server.isEncrypted { findings.append(await key()) }
    if findings.allSatisfy({ $0.mark == .ok }) { findings += await statement() }
    if !findings.contains(where: { $0.mark == .failure }) {
      let facts = await facts()
      findings += (facts?.findings(invocation, sender: nil) ?? []).map(ofServer)
    }
    if sendsTest {
      findings.append(
        .warning(
          .testDelivery, "The server sends the messages.",
          "Send a test with lifesignal channels test CHANNEL."))
    }
    findings += await outbox()
    return findings + [
      // What the server has seen counts by its own clock, with which this one was compared above.
      await Examination.clock(invocation, lastSeen: nil),
      SurroundingsChecks.terminal(
        variables: invocation.variables, isTerminal: invocation.machine.hasTerminal()),
    ]
  }

  /// Says what waits for the server.
  private func outbox() async -> [Finding] {
    guard let folders = try? invocation.folders(),
      let provide = try? invocation.storeAccess.open(folders, invocation.account, false)
    else { return [] }
    let values = DependencyValues(provide)
    let (offline, dates) = (values.offlineClient, values.dateClient)
    let outbox = offline.outbox()
    var findings = outbox.waitingTexts(dates).map {
      Finding.warning(.outbox, $0, "Run lifesignal sync.")
    }
    findings += outbox.refused.compactMap { checkIn in
      checkIn.refusalText(dates).map { .warning(.outbox, $0, "lifesignal sync forgets it.") }
    }
    findings += offline.strangers().map {
      .warning(
        .outbox, "\(folders.outbox)/\($0) is damaged, or for another server; nothing sends it.",
        "Remove it.")
    }
    if invocation.machine.isVirtual() {
      findings.append(
        .warning(
          .outbox,
          "This is a virtual machine: if it is stopped, a check-in made offline may count from earlier than it"
            + " was made.", "After a stop, check in again once the server answers."))
    }
    return findings.isEmpty ? [.ok(.outbox, "Nothing waits for the server.")] : findings
  }

  private func facts() async -> AccountExamination? {
    guard let folders = try? invocation.folders(),
      let provide = try? invocation.storeAccess.open(folders, invocation.account, false)
    else { return nil }
    return await withDependencies {
      provide(&$0)
    } operation: {
      await AccountExamination()
    }
  }

  /// Checks that the server answers with the key it had when this machine joined.
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
        .server, "The server \(server.name) has a different key than when you joined.",
        "Call the person who runs it, and compare \(identity.fingerprint).")
  }

  /// Checks the server's version, and its clock against this machine's.
  private func statement() async -> [Finding] {
    let statement: ServerConnection.Statement
    do throws(NetworkError) {
      statement = try await invocation.storeAccess.servers.statement(server)
    } catch {
      return [.failure(.server, error.errorDescription, error.recoverySuggestion)]
    }
    let version =
      switch statement.version.map({ String($0.sanitized.prefix(40)) }) {
      case nil: "The server \(server.name) doesn't say which version it runs."
      case Version.current: "The server \(server.name) runs this app's version, \(Version.current)."
      case let version?:
        "The server \(server.name) runs version \(version); this app is \(Version.current)."
      }
    return [.ok(.serverVersion, version)] + (statement.clockLead.map { [Self.clock($0)] } ?? [])
  }

  /// The smallest difference between the clocks that is reported.
  private static let clockTolerance = TimeSpan.seconds(30)

  /// - Parameter lead: How far the server's clock is ahead of this machine's.
  static func clock(_ lead: TimeSpan) -> Finding {
    guard abs(lead.seconds) >= clockTolerance.seconds else {
      return .ok(.serverClock, "This machine's clock agrees with the server's.")
    }
    return .warning(
      .serverClock,
      "This machine's clock is \(lead.exactDescription) \(lead < .zero ? "ahead of" : "behind")"
        + " the server's, by which your deadline counts.",
      "Set the one that is wrong; timedatectl shows this machine's.")
  }

  /// Adapts a finding: mail and monitors are the server's, so the user can't set them up here.
  private func ofServer(_ finding: Finding) -> Finding {
    guard finding.check == .watch || finding.check == .delivery, finding.mark != .ok else {
      return finding
    }
    var finding = finding
    finding.advice = "Tell the person who runs the server \(server.name)."
    return finding
  }
}

package import Clients
package import Domain
import Cryptography
import FoundationEssentials
import ServerProtocol

extension ServerConnection {
  /// The key that the server shows before any request.
  package struct Identity: Equatable, Sendable {
    /// The SHA-256 of its key.
    package var fingerprint: String
    /// Whether the system trusts its certificate.
    package var isTrusted: Bool

    package init(fingerprint: String, isTrusted: Bool) {
      self.fingerprint = fingerprint
      self.isTrusted = isTrusted
    }
  }

  /// Reads the server's key, and sends nothing that only the server may know.
  package func identify() async throws(NetworkError) -> Identity {
    let checked = request(.get, "/healthz", within: limits.read)
    var unchecked = checked
    unchecked.trust = .none
    let answer: HTTPReply
    do throws(HTTPFault) { answer = try await http.send(unchecked).reply() } catch {
      throw networkError(error)
    }
    guard let fingerprint = answer.certificate.flatMap(Certificate.fingerprint(pem:)) else {
      throw .notLifeSignal(answer.status)
    }
    do throws(HTTPFault) {
      _ = try await http.send(checked).reply()
      return Identity(fingerprint: fingerprint, isTrusted: true)
    } catch {
      guard error == .notTrusted else { throw networkError(error) }
      return Identity(fingerprint: fingerprint, isTrusted: false)
    }
  }

  /// The server's report about itself.
  package struct Statement: Equatable, Sendable {
    /// Its version; `nil` if it doesn't say.
    package var version: String?
    /// How far its clock is ahead of this machine's; `nil` if it doesn't say.
    package var clockLead: TimeSpan?

    package init(version: String? = nil, clockLead: TimeSpan? = nil) {
      self.version = version
      self.clockLead = clockLead
    }
  }

  /// Requests the server's report about itself, and checks the key by which it is known.
  package func statement() async throws(NetworkError) -> Statement {
    let start = now()
    let answer: HTTPReply
    do throws(HTTPFault) { answer = try await health(within: limits.read) } catch {
      throw networkError(error)
    }
    let middle = start + now().timeIntervalSince(start) / 2
    guard answer.isAlive else { throw .notLifeSignal(answer.status) }
    return Statement(
      version: answer.headers["lifesignal-version"], clockLead: answer.clockLead(at: middle))
  }

  func health(within total: Duration) async throws(HTTPFault) -> HTTPReply {
    try await http.send(request(.get, "/healthz", within: total)).reply()
  }
}

import Clients
import Cryptography
import Domain
import FoundationEssentials
import Synchronization

extension ServerConnection {
  /// Sends an invitation with every request from now on: a link to this server, or its code. An
  /// empty text sends none.
  func show(invitation typed: String) throws(ClientError) {
    let typed = typed.trimmingWhitespace()
    var code: String? = typed.isEmpty ? nil : typed
    if typed.contains(":") {
      let link: ServerLink
      do throws(ServerLink.Malformed) { link = try ServerLink(typed) } catch {
        throw .inviteRequired
      }
      guard link.server.name == server.name else {
        throw .codeElsewhere(link.server.name, here: server.name)
      }
      code = link.code
    }
    // It is sent in a header.
    guard code?.utf8.allSatisfy({ (33...126).contains($0) }) != false else { throw .inviteRequired }
    invite.withLock { $0 = code }
  }

  /// Returns the code of the next invitation for these roles; the same one until
  /// ``forgetInvitationCode(for:)``.
  func invitationCode(for roles: Roles) -> SecureToken {
    invitationCodes.withLock { codes in
      let code = codes[roles] ?? .invitation
      codes[roles] = code
      return code
    }
  }

  func forgetInvitationCode(for roles: Roles) { invitationCodes.withLock { $0[roles] = nil } }
}

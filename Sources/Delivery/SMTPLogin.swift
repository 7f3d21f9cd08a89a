import Clients
import Synchronization

/// A way to log in at a mail server (RFC 4954), by its name on the wire.
enum LoginMechanism: String, CaseIterable, Sendable {
  case plain = "PLAIN"
  case login = "LOGIN"
  case scram = "SCRAM-SHA-256"
  case cramMD5 = "CRAM-MD5"
  case digestMD5 = "DIGEST-MD5"
  case ntlm = "NTLM"
  case gssapi = "GSSAPI"
  case xoauth2 = "XOAUTH2"
  case oauthBearer = "OAUTHBEARER"

  /// Those for a password, in order of preference. The connection is encrypted and its server known
  /// before any of them is used, so the plain ones come first: servers that offer more often have
  /// nothing behind the others.
  static let forPassword: [Self] = [
    .plain, .login, .scram, .cramMD5, .digestMD5, .ntlm, .gssapi,
  ]
  /// Those for a token.
  static let forToken: [Self] = [.xoauth2, .oauthBearer]
}

/// What a conversation logs in with.
struct SMTPLogin: Sendable {
  var username: String
  /// The password or the token.
  var secret: String
  var isToken: Bool
  /// The mechanisms that can be used; libcurl takes PLAIN before LOGIN.
  var mechanisms: [LoginMechanism] = []

  var preference: [LoginMechanism] {
    isToken ? LoginMechanism.forToken : LoginMechanism.forPassword
  }
}

/// How the login of a conversation ended.
enum SMTPLoginEnd: Equatable, Sendable {
  /// The conversation didn't get that far, or needs no login.
  case none
  /// The server doesn't offer a login at all.
  case notOffered
  /// The server offers none of the mechanisms, but others. Nothing was tried.
  case otherMechanisms([LoginMechanism])
  /// The server refused the mechanism before it had seen the password or token.
  case mechanismRefused(LoginMechanism)
  case refused(LoginMechanism)
  case accepted(LoginMechanism)
}

/// What this process has learnt about logins: which mechanism works, or which to try next.
///
/// Each probe sends the password once at most, so that no account gets locked. If it is refused,
/// the next probe uses the next plain mechanism: a server may offer one behind which nothing works.
final class LoginMemory: Sendable {
  static let shared = LoginMemory()

  struct Key: Hashable, Sendable {
    var host: String
    var port: Int
    var username: String
    /// A digest of the password, since another one is another login; tokens change all the time.
    var secret: Int
    var isToken: Bool

    init(_ smtp: SMTPSettings, _ login: SMTPLogin) {
      (host, port) = (smtp.host, smtp.port)
      (username, isToken) = (login.username, login.isToken)
      secret = login.isToken ? 0 : login.secret.hashValue
    }
  }

  struct Entry: Equatable, Sendable {
    /// The mechanism that worked last, or that comes next after a refusal.
    var mechanism: LoginMechanism
    var works: Bool
  }

  private let entries = Mutex<[Key: Entry]>([:])

  func entry(_ key: Key) -> Entry? { entries.withLock { $0[key] } }

  func note(_ entry: Entry, _ key: Key) {
    entries.withLock { entries in
      // Someone who changes the password every minute doesn't fill the memory.
      if entries.count >= 100 { entries.removeAll() }
      entries[key] = entry
    }
  }
}

extension LoginMemory.Entry {
  /// Creates what to try next after a refusal.
  /// - Parameter offered: The mechanisms that the server offers.
  init(after refused: LoginMechanism, offered: [LoginMechanism]) {
    let plain: [LoginMechanism] = [.plain, .login].filter(offered.contains)
    works = false
    mechanism = plain.contains(refused) ? plain.first { $0 != refused } ?? refused : refused
  }
}

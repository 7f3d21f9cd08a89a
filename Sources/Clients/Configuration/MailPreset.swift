public import Domain

/// The mail server of a provider, found by the domain of an address.
public struct MailPreset: Equatable, Sendable {
  public var host: String
  public var port: Int
  public var security: SMTPSettings.Security
  /// What the person must do at the provider first, or `nil`.
  public var advice: String?

  /// Creates the preset of the address's provider, or else `smtp.` and the domain with STARTTLS.
  /// - Returns: `nil` for a text that isn't an e-mail address.
  public init?(for address: String) {
    guard let address = try? ProfileRules.email(address), let at = address.lastIndex(of: "@")
    else { return nil }
    let domain = address[address.index(after: at)...].lowercased()
    let preset = Self.providers.first { provider in
      provider.domains.contains { domain == $0 || $0.hasSuffix(".") && domain.hasPrefix($0) }
    }?.preset
    self = preset ?? MailPreset("smtp.\(domain)", .starttls)
  }

  private init(_ host: String, _ security: SMTPSettings.Security, _ advice: String? = nil) {
    self.host = host
    self.port = security.port
    self.security = security
    self.advice = advice
  }

  private static func appPassword(_ provider: String, _ page: String) -> String {
    "\(provider) needs an app password: create one at \(page)."
  }

  /// A domain that ends with a period stands for the one in every country.
  private static let providers: [(domains: [String], preset: MailPreset)] = [
    (
      ["gmail.com", "googlemail.com"],
      MailPreset(
        "smtp.gmail.com", .tls, appPassword("Gmail", "myaccount.google.com/apppasswords"))
    ),
    (
      ["icloud.com", "me.com", "mac.com"],
      MailPreset(
        "smtp.mail.me.com", .starttls, appPassword("iCloud", "account.apple.com"))
    ),
    (
      ["yahoo.", "ymail.com", "rocketmail.com"],
      MailPreset(
        "smtp.mail.yahoo.com", .tls, appPassword("Yahoo", "login.yahoo.com/account/security"))
    ),
    (
      ["aol.com"],
      MailPreset("smtp.aol.com", .tls, appPassword("AOL", "login.aol.com/account/security"))
    ),
    (
      ["fastmail.com", "fastmail.fm"],
      MailPreset(
        "smtp.fastmail.com", .tls, appPassword("Fastmail", "app.fastmail.com/settings/security"))
    ),
    (
      ["outlook.", "hotmail.", "live.com", "msn.com"],
      MailPreset(
        "smtp-mail.outlook.com", .starttls,
        "Outlook.com no longer accepts passwords from programs. Use another address, or ntfy.")
    ),
    (
      ["proton.me", "protonmail.com", "pm.me"],
      MailPreset(
        "smtp.protonmail.ch", .starttls,
        "Proton needs a paid plan and an SMTP token, for an address of your own domain.")
    ),
    (["gmx.de", "gmx.net", "gmx.at", "gmx.ch"], MailPreset("mail.gmx.net", .starttls, gmx)),
    (["gmx.com"], MailPreset("mail.gmx.com", .starttls, gmx)),
    (["web.de"], MailPreset("smtp.web.de", .starttls, gmx)),
    (["t-online.de"], MailPreset("securesmtp.t-online.de", .tls)),
    (["posteo.de", "posteo.net"], MailPreset("posteo.de", .tls)),
    (["mailbox.org"], MailPreset("smtp.mailbox.org", .tls)),
    (["zoho.com"], MailPreset("smtp.zoho.com", .tls)),
    (["yandex.com", "yandex.ru"], MailPreset("smtp.yandex.com", .tls)),
    (["mail.ru"], MailPreset("smtp.mail.ru", .tls)),
    (["orange.fr", "wanadoo.fr"], MailPreset("smtp.orange.fr", .tls)),
    (["free.fr"], MailPreset("smtp.free.fr", .tls)),
    (["laposte.net"], MailPreset("smtp.laposte.net", .tls)),
    (["comcast.net"], MailPreset("smtp.comcast.net", .starttls)),
    (["btinternet.com"], MailPreset("mail.btinternet.com", .tls)),
  ]

  private static let gmx =
    "Allow other programs to send mail first, in the provider's settings under POP3 and IMAP."
}

extension SMTPSettings.Security {
  /// A note to read before choosing it, or `nil`.
  public var loginNote: String? {
    self == .none
      ? "Without encryption, no user name or password is sent or saved." : nil
  }

  /// The usual port.
  public var port: Int {
    switch self {
    case .starttls: 587
    case .tls: 465
    case .none: 25
    }
  }
}

extension SMTPSettings {
  /// Creates an account from what was typed.
  /// - Parameters:
  ///   - server: A host, followed by a colon and a port unless it is the usual one.
  ///   - username: Empty for a server that asks for none; ignored without encryption.
  /// - Throws: ``ValidationError/email``, ``ValidationError/mailServer``, ``ValidationError/port(_:)`` and
  ///   ``ValidationError/unencryptedMail``.
  public init(
    validating address: String, server: String, security: Security, username: String
  ) throws(ValidationError) {
    let from = try ProfileRules.email(address)
    let (host, port) = try Self.hostAndPort(server)
    guard security != .none || ["localhost", "127.0.0.1"].contains(host) else {
      throw .unencryptedMail
    }
    let username = username.trimmingWhitespace()
    self.init(
      host: host, port: port ?? security.port, security: security,
      username: username.isEmpty || security == .none ? nil : username, from: from)
  }

  /// Returns the port typed after a server's name; `nil` for the usual one, or for an invalid text.
  public static func port(in server: String) -> Int? { (try? hostAndPort(server))?.1 }

  /// - Throws: ``ValidationError/mailServer`` and ``ValidationError/port(_:)``.
  private static func hostAndPort(_ text: String) throws(ValidationError) -> (String, Int?) {
    let parts = text.trimmingWhitespace().lowercased()
      .split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, parts.count <= 2, !host.isEmpty, host.utf8.count <= 253,
      host.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"):
          true
        default: false
        }
      }), !host.hasPrefix("."), !host.hasPrefix("-")
    else { throw .mailServer }
    guard parts.count == 2 else { return (String(host), nil) }
    // This is a web address, such as `https://…`, and not a port.
    guard !parts[1].hasPrefix("/") else { throw .mailServer }
    guard let port = Int(parts[1]), (1...65_535).contains(port) else {
      throw .port(String(parts[1]))
    }
    return (String(host), port)
  }

  /// The server as it is typed, with its port unless it is the usual one.
  public var server: String { port == security.port ? host : "\(host):\(port)" }
}

public import Domain
public import FoundationEssentials

/// The settings that the person wrote into `config.json5`.
public struct Configuration: Equatable, Sendable {
  /// The mail account, or `nil` if none is set up.
  public var smtp: SMTPSettings?
  /// The system's own program to send mail, instead of ``smtp``.
  public var sendmail: SendmailSettings?
  /// The service to which a monitor reports that it is running (WCH-2).
  public var heartbeat: HeartbeatSettings?
  /// The page on which responders acknowledge (ESC-2, CON-3).
  public var links: LinkSettings?
  /// Where the error log is sent, or `nil` to keep it on this machine.
  public var errorLog: ErrorLogSettings?
  /// Where a server's members can have channels although outsiders can't reach it.
  public var privateTargets: PrivateTargets

  public init(
    smtp: SMTPSettings? = nil, sendmail: SendmailSettings? = nil,
    heartbeat: HeartbeatSettings? = nil, links: LinkSettings? = nil,
    errorLog: ErrorLogSettings? = nil, privateTargets: PrivateTargets = .init()
  ) {
    self.smtp = smtp
    self.sendmail = sendmail
    self.heartbeat = heartbeat
    self.links = links
    self.errorLog = errorLog
    self.privateTargets = privateTargets
  }

  /// Whether mail can be sent.
  public var canSendMail: Bool { mailTransport != nil }
}

/// An account at a mail submission server (RFC 6409). The password is not here: it comes from
/// `LIFESIGNAL_SMTP_PASSWORD`, ``passwordCommand`` or the keychain.
public struct SMTPSettings: Equatable, Codable, Sendable {
  public var host: String
  /// 1 – 65535.
  public var port: Int
  public var security: Security
  /// The user name, or `nil` for a server that asks for none.
  public var username: String?
  /// The sender's address.
  public var from: String
  /// The command that prints the password, instead of the keychain.
  public var passwordCommand: SecretCommand?
  /// The command that prints a token for XOAUTH2 or OAUTHBEARER, instead of a password.
  public var tokenCommand: SecretCommand?
  /// The name for EHLO, or `nil` for the sender's domain.
  public var ehlo: String?
  /// The path of a file of certificates that vouch for the server, or `nil` for the system's.
  public var certificateAuthority: String?
  /// The SHA-256 of the server's public key, as 64 hexadecimal digits, which is trusted no matter who has
  /// signed its certificate; `nil` to check the certificate.
  public var fingerprint: String?

  public init(
    host: String, port: Int, security: Security, username: String?, from: String,
    passwordCommand: SecretCommand? = nil, tokenCommand: SecretCommand? = nil, ehlo: String? = nil,
    certificateAuthority: String? = nil, fingerprint: String? = nil
  ) {
    self.host = host
    self.port = port
    self.security = security
    self.username = username
    self.from = from
    self.passwordCommand = passwordCommand
    self.tokenCommand = tokenCommand
    self.ehlo = ehlo
    self.certificateAuthority = certificateAuthority
    self.fingerprint = fingerprint
  }

  /// Takes over what can be set only in the file and concerns the new server, too: the name for EHLO
  /// any, the authority those of its domain, the key only itself.
  public mutating func keepDetails(of other: SMTPSettings) {
    ehlo = other.ehlo
    if Self.areOfOneDomain(host, other.host) { certificateAuthority = other.certificateAuthority }
    if host == other.host { fingerprint = other.fingerprint }
  }

  /// Whether two servers' names have the same domain, as `mail.example.org` and `smtp.example.org`.
  private static func areOfOneDomain(_ one: String, _ other: String) -> Bool {
    func domain(_ host: String) -> Substring {
      let domain = host[...].drop { $0 != "." }.dropFirst()
      return domain.contains(".") && host.last?.isNumber == false ? domain : host[...]
    }
    return domain(one.lowercased()) == domain(other.lowercased())
  }

  /// The name for EHLO: servers that are strict refuse one that can't be a mail program's. An address
  /// literal if the sender's domain can't be one either; the machine's own name is nobody's business.
  public var greetingName: String {
    let domain = from.split(separator: "@").last.map(String.init) ?? ""
    return ehlo ?? (domain.contains(".") ? domain.lowercased() : "[127.0.0.1]")
  }

  public enum Security: String, Equatable, CaseIterable, Codable, Sendable {
    /// STARTTLS is required: nothing is ever sent in clear text instead.
    case starttls
    case tls
    /// No encryption; allowed only to this machine.
    case none
  }
}

/// An error in `config.json5`, or in the file of a service.
public struct ConfigurationError: AppError, Codable {
  public var file: String
  /// The line, counted from 1, or `nil` if the error is in no single line.
  public var line: Int?
  public var reason: String

  public init(file: String = "config.json5", line: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  public var text: ErrorText {
    ErrorText(
      "CONFIG_INVALID",
      "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason).",
      recovery: "Fix the file; it is read again when it changes.", family: .infrastructure)
  }
}

extension Configuration {
  /// The largest file that is read, in bytes.
  public static let sizeLimit = 65_536

  /// Reads the bytes of `config.json5`. An empty file is refused, since a full disk leaves one.
  /// - Throws: ``ConfigurationError`` with the line, if it is known.
  public init(json5 bytes: Data) throws(ConfigurationError) {
    guard bytes.count <= Self.sizeLimit else {
      throw ConfigurationError(reason: "the file is larger than 64 KiB")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.trimmingWhitespace().isEmpty else {
      throw ConfigurationError(reason: "the file is empty, write {} to have no settings")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let file: File
    do { file = try decoder.decode(Strict<File>.self, from: bytes).section } catch {
      throw ConfigurationError(decoding: error, text: text)
    }
    guard file.smtp == nil || file.sendmail == nil else {
      throw ConfigurationError(
        line: text.line(ofKey: "sendmail"), reason: "smtp is already set; keep one of the two")
    }
    self.init(
      smtp: try file.smtp.map { smtp throws(ConfigurationError) in
        try smtp.section.checked(text)
      },
      sendmail: try file.sendmail.map { sendmail throws(ConfigurationError) in
        try sendmail.checked(text)
      },
      heartbeat: try file.heartbeat.map { heartbeat throws(ConfigurationError) in
        try heartbeat.section.checked(text)
      },
      links: try file.links.map { links throws(ConfigurationError) in
        try links.section.checked(text)
      },
      errorLog: try file.errorLog.map { log throws(ConfigurationError) in
        try log.section.checked(text)
      }, privateTargets: try PrivateTargets(file.privateTargets ?? [], in: text))
  }

  private struct File: ConfigurationSection {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case smtp, sendmail, heartbeat, links
      case errorLog = "error_log"
      case privateTargets = "private_targets"
    }

    var smtp: Strict<SMTP>?
    var sendmail: SendmailSection?
    var heartbeat: Strict<HeartbeatSection>?
    var links: Strict<LinkSection>?
    var errorLog: Strict<ErrorLogSection>?
    var privateTargets: [String]?
  }

  private struct SMTP: ConfigurationSection {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case host, port, security, username, from, ehlo, fingerprint
      case passwordCommand = "password_command"
      case tokenCommand = "token_command"
      case certificateAuthority = "ca_file"
    }

    var host: String
    var port: Int?
    var security: String?
    var username: String?
    var from: String
    var passwordCommand: SecretCommandSection?
    var tokenCommand: SecretCommandSection?
    var ehlo: String?
    var certificateAuthority: String?
    var fingerprint: String?

    func checked(_ text: String) throws(ConfigurationError) -> SMTPSettings {
      func fault(_ key: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(line: text.line(ofKey: key), reason: "smtp.\(key) \(reason)")
      }
      let allowed = SMTPSettings.Security.allCases.map { "“\($0.rawValue)”" }
      guard let security = SMTPSettings.Security(rawValue: security ?? "starttls") else {
        throw fault("security", "must be one of \(allowed.joined(separator: ", "))")
      }
      func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 253
          && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@%?#\\".utf8.contains($0) }
      }
      guard isPlain(host) else { throw fault("host", "is not the name of a server") }
      guard security != .none || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) else {
        throw fault("security", "can be “none” only for this machine (localhost)")
      }
      let port = port ?? (security == .tls ? 465 : 587)
      guard (1...65_535).contains(port) else { throw fault("port", "must be 1 to 65535") }
      let sender: String
      do { sender = try ProfileRules.email(from) } catch {
        throw fault("from", "is not an e-mail address")
      }
      guard ehlo.map(isPlain) != false else { throw fault("ehlo", "is not a name for EHLO") }
      guard certificateAuthority?.hasPrefix("/") != false else {
        throw fault("ca_file", "must be an absolute path")
      }
      guard tokenCommand == nil || username != nil else {
        throw fault("token_command", "needs smtp.username, too")
      }
      guard tokenCommand == nil || passwordCommand == nil else {
        throw fault("token_command", "and password_command can't both be set")
      }
      var digits: String?
      if let fingerprint {
        digits = fingerprint.lowercased().filter { $0 != ":" }
        guard digits?.utf8.count == 64, digits?.allSatisfy(\.isHexDigit) == true else {
          throw fault("fingerprint", "must be the 64 hexadecimal digits of the key's SHA-256")
        }
      }
      func command(
        _ section: SecretCommandSection?, _ key: String
      ) throws(ConfigurationError) -> SecretCommand? {
        guard let section else { return nil }
        return try section.checked(text, key, in: "smtp")
      }
      return SMTPSettings(
        host: host, port: port, security: security, username: username, from: sender,
        passwordCommand: try command(passwordCommand, "password_command"),
        tokenCommand: try command(tokenCommand, "token_command"), ehlo: ehlo,
        certificateAuthority: certificateAuthority, fingerprint: digits)
    }
  }
}

/// A section of `config.json5`, with all the keys it can have.
protocol ConfigurationSection: Decodable {
  associatedtype CodingKeys: CodingKey, CaseIterable
}

/// A section without unknown keys.
struct Strict<Section: ConfigurationSection>: Decodable {
  let section: Section

  init(from decoder: any Decoder) throws {
    let known = Set(Section.CodingKeys.allCases.map(\.stringValue))
    try decoder.container(keyedBy: AnyKey.self).refuseUnknown(known)
    section = try Section(from: decoder)
  }
}

/// A key of any name, to tell misspelt keys from missing ones.
struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == AnyKey {
  func refuseUnknown(_ known: Set<String>) throws {
    guard let unknown = allKeys.first(where: { !known.contains($0.stringValue) }) else { return }
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath + [unknown], debugDescription: "unknown key"))
  }
}

extension ConfigurationError {
  init(decoding error: any Error, text: String, file: String = "config.json5") {
    self.init(decoding: error, text: text)
    self.file = file
  }

  private init(decoding error: any Error, text: String) {
    func path(_ keys: [any CodingKey]) -> String {
      keys.map { key in
        let name = key.stringValue
        return name.count > 40 ? "\(name.prefix(40))…" : name
      }.joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let name = path(context.codingPath + [key])
      let line = context.codingPath.last.flatMap { text.line(ofKey: $0.stringValue) }
      self.init(line: line, reason: "\(name) is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let line = context.codingPath.last.flatMap { text.line(ofKey: $0.stringValue) }
      let name = path(context.codingPath)
      self.init(
        line: line, reason: "\(name.isEmpty ? "the file" : name) has the wrong type")
    case DecodingError.dataCorrupted(let context):
      if let key = context.codingPath.last {
        self.init(
          line: text.line(ofKey: key.stringValue),
          reason: "\(path(context.codingPath)) is not a setting")
      } else {
        let fault = JSON5Fault(in: text)
        self.init(line: fault?.line, reason: fault?.reason ?? "this is not JSON5")
      }
    default: self.init(reason: ErrorTransformer.summary(of: error))
    }
  }
}

extension String {
  /// Returns the address of a section in this text. As for a webhook, it must be https or this
  /// machine.
  func address(
    _ url: String, in section: String, takesQuery: Bool = false
  ) throws(ConfigurationError) -> String {
    guard let address = try? Channel.Kind.webhook.checkedAddress(url),
      takesQuery || !address.contains("?")
    else {
      throw ConfigurationError(
        line: line(ofKey: "url", in: section), reason: "\(section).url must be an https address")
    }
    return address
  }

  /// Returns the first line, counted from 1, that has a key of this name; with a section, the first
  /// one from that section on.
  func line(ofKey key: String, in section: String? = nil) -> Int? {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    func index(of key: String, from start: Int) -> Int? {
      lines[start...].firstIndex { line in
        guard let range = line.firstRange(of: key) else { return false }
        let after = line[range.upperBound...].drop(while: { " \t\"'".contains($0) })
        return after.first == ":"
      }
    }
    let start = section.flatMap { index(of: $0, from: 0) } ?? 0
    return index(of: key, from: start).map { $0 + 1 }
  }
}

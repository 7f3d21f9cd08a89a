import Domain

/// The system's sendmail, a program that every mail server on Unix provides.
public struct SendmailSettings: Equatable, Codable, Sendable {
  /// The program's absolute path.
  public var path: String
  /// The sender's address, or `nil` for the person's own.
  public var from: String?

  public init(path: String, from: String? = nil) {
    self.path = path
    self.from = from
  }
}

/// `sendmail: "/usr/sbin/sendmail"`, or `sendmail: {path: …, from: …}`.
struct SendmailSection: Decodable {
  private var path: String
  private var from: String?

  init(from decoder: any Decoder) throws {
    if let path = try? decoder.singleValueContainer().decode(String.self) {
      self.path = path
      return
    }
    let container = try decoder.container(keyedBy: AnyKey.self)
    try container.refuseUnknown(["path", "from"])
    path = try container.decode(String.self, forKey: AnyKey("path"))
    from = try container.decodeIfPresent(String.self, forKey: AnyKey("from"))
  }

  func checked(_ text: String) throws(ConfigurationError) -> SendmailSettings {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw ConfigurationError(
        line: text.line(ofKey: "path", in: "sendmail") ?? text.line(ofKey: "sendmail"),
        reason: "sendmail must be an absolute path")
    }
    guard let from else { return SendmailSettings(path: path) }
    do { return SendmailSettings(path: path, from: try ProfileRules.email(from)) } catch {
      throw ConfigurationError(
        line: text.line(ofKey: "from", in: "sendmail"),
        reason: "sendmail.from is not an e-mail address")
    }
  }
}

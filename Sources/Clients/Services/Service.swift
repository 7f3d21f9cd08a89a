public import Domain
import FoundationEssentials

/// A messaging service, as its file declares it (CHN-4): what to ask the user for, what to send, and
/// how to tell from the answer whether it was accepted.
public struct Service: Equatable, Sendable, Identifiable {
  /// The name of its file, such as `telegram`.
  public let id: String
  /// The name that people know it by.
  public let title: String
  /// How to get the values of the fields, in a sentence or two.
  public let setup: String
  /// The fields, in the order in which they are asked for.
  public let fields: [Field]
  package let request: Request
  /// The most bytes of a message; a longer one is cut.
  package let limit: Int
  /// The most characters of a title; the rest of a longer one stands in the message.
  package let titleLimit: Int
  /// The markup in the service's texts, whose characters are escaped.
  package let markup: Markup?
  package let answers: AnswerRules

  /// Whether its file says what an accepted message looks like. Without that, a message counts as
  /// sent after any answer with a status for success that isn't a web page.
  public var declaresAcceptance: Bool { answers.accepted != nil }

  /// Why its messages may count as sent although they weren't, as a sentence; `nil` if its file says
  /// what an accepted message looks like.
  public var acceptanceWarning: String? {
    declaresAcceptance
      ? nil
      : "services/\(id).json5 doesn't say what \(title) answers when it accepts a message, so"
        + " every answer that isn't a web page counts as sent. Add accepted, then send a test with"
        + " lifesignal channels test."
  }

  /// The markup that a service finds in a text.
  package enum Markup: String, Decodable, Sendable {
    /// Markdown, as Discord and Mattermost read it.
    case markdown
    /// Slack's own, without the formatting that a request can switch off.
    case slack
  }

  /// A value that a channel of the service needs.
  public struct Field: Equatable, Sendable, Identifiable, Decodable {
    public enum Kind: String, Decodable, Sendable {
      /// Printable text on one line.
      case text
      /// A phone number in E.164 form.
      case phone
      /// `https://…`, or `http://` on this machine.
      case url
    }

    public let id: String
    public let title: String
    /// An example of a value.
    public let example: String
    public let kind: Kind
    /// Whether anyone who has the value can use the service.
    public let isSecret: Bool
    /// The hosts to which a URL can lead, including all hosts below them; empty for any.
    public let hosts: [String]

    private enum CodingKeys: String, CodingKey {
      case id = "name"
      case title, example, kind
      case isSecret = "secret"
      case hosts
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      title = try container.decode(String.self, forKey: .title)
      example = try container.decodeIfPresent(String.self, forKey: .example) ?? ""
      kind = try container.decodeIfPresent(Kind.self, forKey: .kind) ?? .text
      isSecret = try container.decodeIfPresent(Bool.self, forKey: .isSecret) ?? false
      hosts = try container.decodeIfPresent([String].self, forKey: .hosts) ?? []
    }
  }

  /// The request to send. In every text `{name}` stands for a field, or for one of
  /// ``Service/values``.
  package struct Request: Equatable, Sendable, Decodable {
    package var method: String?
    /// The URL, which begins with `https://` or with a field that is a URL.
    package var url: String
    package var headers: [String: String]?
    /// The user and password for Basic authentication, as `user:password`.
    package var basic: String?
    /// The body as JSON. An object with `urgent` and `otherwise` stands for one of the two, and one
    /// with `each` and `item` in an array for several items.
    package var json: JSONValue?
    /// The body as a form.
    package var form: [String: JSONValue]?
  }

  /// The values of a message, in addition to the fields: `text` is title and message in one,
  /// `escaped` the same with `&`, `<` and `>` escaped for HTML; `id` is the same in every attempt.
  package static let values: Set<String> = ["title", "message", "text", "escaped", "id"]
  /// The values that stand for several texts or none. In an array, `{each: "line", item: …}` stands
  /// for one item for each line, in which `{line}` is the text.
  package static let lists: Set<String> = ["line", "link"]

  private struct File: Decodable {
    var title: String
    var setup: String
    var fields: [Field]
    var request: Request
    var limit: Int?
    var titleLimit: Int?
    var markup: Markup?
  }

  /// Reads a service's file.
  /// - Throws: ``ConfigurationError`` with the line, or with what does not fit together.
  public init(id: String, json5 bytes: [UInt8]) throws(ConfigurationError) {
    let file: File
    let answers: AnswerRules
    do {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      file = try decoder.decode(File.self, from: Data(bytes))
      answers = try decoder.decode(AnswerRules.self, from: Data(bytes))
    } catch {
      throw ConfigurationError(
        decoding: error, text: String(decoding: bytes, as: UTF8.self), file: "\(id).json5")
    }
    self.id = id
    title = file.title
    setup = file.setup
    fields = file.fields
    request = file.request
    limit = file.limit ?? 4_000
    titleLimit = file.titleLimit ?? 250
    markup = file.markup
    self.answers = answers
    if let fault { throw ConfigurationError(file: "\(id).json5", reason: fault) }
  }

  /// The first thing that does not fit together, or `nil`.
  private var fault: String? {
    let isName = { (text: String) in
      (2...32).contains(text.utf8.count)
        && text.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
    }
    guard isName(id) else { return "its file name has characters other than a–z, 0–9 and -" }
    guard Set(fields.map(\.id)).count == fields.count, fields.allSatisfy({ isName($0.id) }),
      Self.values.isDisjoint(with: fields.map(\.id))
    else {
      return "a field's name is used twice, reserved, or has characters other than a–z, 0–9 and -"
    }
    guard fields.count <= 4 else { return "it has more than 4 fields" }
    guard fields.contains(where: { !$0.isSecret }) else {
      return "it needs a field that isn't secret, to tell its channels apart"
    }
    guard limit >= 100, titleLimit >= 20, title != "" else {
      return "it needs a title, a limit of at least 100 bytes and a titleLimit of at least 20"
    }
    guard
      answers.moved.keys.allSatisfy({ name in fields.contains { $0.id == name && !$0.isSecret }
      })
    else { return "moved names no field that isn't secret" }
    guard ["POST", "PUT", nil].contains(request.method) else { return "method must be POST or PUT" }
    guard (request.json == nil) != (request.form == nil) else {
      return "it needs exactly one of json and form"
    }
    let numbers = (request.json?.numbers ?? []) + (request.form?.values.flatMap(\.numbers) ?? [])
    guard numbers.allSatisfy(\.isFinite) else { return "a number is infinite" }
    let inHeaders = (request.headers ?? [:]).values.flatMap { Template($0).parts }
    guard !Self.values.subtracting(["id"]).contains(where: { inHeaders.contains(.value($0)) })
    else {
      return "a header can't contain the message"
    }
    let first = Template(request.url).parts.first
    switch first {
    case .text(let text) where text.hasPrefix("https://") && text.dropFirst(8).contains("/"): break
    case .value(let name) where fields.contains { $0.id == name && $0.kind == .url }: break
    default: return "url must begin with https:// and a host, or with a field that is a URL"
    }
    let known = Self.values.union(Self.lists).union(fields.map(\.id))
    for text in request.texts {
      for case .value(let name) in Template(text).parts where !known.contains(name) {
        return "{\(name)} is neither a field nor a value"
      }
    }
    return nil
  }

  // MARK: A channel's fields

  /// Returns the address of a channel: the fields that are not secret, such as
  /// `telegram:123456789`, or `twilio:from=%2B1555&to=%2B1556` for several.
  public func address(_ values: [String: String]) -> String {
    let open = fields.filter { !$0.isSecret }
    let parts = open.map { ($0.id, (values[$0.id] ?? "").percentEncoded) }
    return "\(id):"
      + (parts.count == 1 ? parts[0].1 : parts.map { "\($0)=\($1)" }.joined(separator: "&"))
  }

  /// Returns the secrets of a channel as they are stored, or `nil` if there are none.
  public func secret(_ values: [String: String]) -> Secret<String>? {
    let secrets = values.filter { value in fields.contains { $0.id == value.key && $0.isSecret } }
    guard !secrets.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Strings can always be encoded.
    return Secret(String(decoding: try! encoder.encode(secrets), as: UTF8.self))
  }

  /// Returns a new channel, from what was typed for each field.
  /// - Throws: The errors of ``Field/checked(_:)`` for a field that is missing or wrong.
  public func draft(_ typed: [String: String]) throws(ValidationError) -> ChannelDraft {
    var values: [String: String] = [:]
    for field in fields { values[field.id] = try field.checked(typed[field.id] ?? "") }
    return try ChannelDraft(.service, address(values), token: secret(values)).checked()
  }

  /// Returns the values of a channel's fields.
  /// - Returns: `nil` for an address of another service.
  public func values(address: String, secret: Secret<String>?) -> [String: String]? {
    guard address.hasPrefix("\(id):") else { return nil }
    let rest = address.dropFirst(id.count + 1)
    let open = fields.filter { !$0.isSecret }
    var values: [String: String] = [:]
    if open.count == 1 {
      values[open[0].id] = String(rest).percentDecoded
    } else {
      // A comma can separate the fields, too: unlike `&`, it needs no quotes in a shell.
      for part in rest.split(whereSeparator: { "&,".contains($0) }) {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, open.contains(where: { $0.id == pair[0] }) else { return nil }
        values[String(pair[0])] = String(pair[1]).percentDecoded
      }
    }
    if let secret,
      let secrets = try? JSONDecoder().decode([String: String].self, from: Data(secret.value.utf8))
    {
      values.merge(
        secrets.filter { secret in fields.contains { $0.id == secret.key && $0.isSecret } }
      ) {
        open, _ in open
      }
    }
    return values
  }
}

extension Service.Field {
  /// Returns what was typed as it is stored.
  /// - Throws: ``ValidationError/serviceField(_:)``, or the error of a phone number or an address.
  public func checked(_ typed: String) throws(ValidationError) -> String {
    let text = typed.trimmingWhitespace()
    switch kind {
    case .phone:
      guard let phone = try ProfileRules.phone(text) else { throw .serviceField(title) }
      return phone
    case .url:
      let address = try Channel.Kind.webhook.checkedAddress(text)
      let host = address.drop { $0 != "/" }.dropFirst(2).prefix { !"/:?".contains($0) }
      guard hosts.isEmpty || hosts.contains(where: { host == $0 || host.hasSuffix(".\($0)") })
      else {
        throw .serviceField(title)
      }
      return address
    case .text:
      guard (1...500).contains(text.utf8.count),
        !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
      else { throw .serviceField(title) }
      return text
    }
  }
}

extension Service.Request {
  /// All texts that can contain a value.
  fileprivate var texts: [String] {
    [url, basic ?? ""] + (headers.map { Array($0.values) } ?? []) + (json?.texts ?? [])
      + (form?.values.flatMap(\.texts) ?? [])
  }
}

extension JSONValue {
  fileprivate var numbers: [Double] {
    switch self {
    case .number(let number): [number]
    case .array(let values): values.flatMap(\.numbers)
    case .object(let members): members.values.flatMap(\.numbers)
    default: []
    }
  }

  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.flatMap(\.texts)
    case .object(let members): members.values.flatMap(\.texts)
    default: []
    }
  }
}

public import Clients
public import Domain
import FoundationEssentials

/// Delivers by a messaging service as declared in its file (CHN-4).
public struct ServiceSender: Sendable {
  private let service: Service
  private let links: LinkSettings?
  private let dateClient: DateClient
  private let limits: TransferLimits
  /// Replaces the scheme and host of the service's URL; for tests.
  private let origin: String?

  public init(_ service: Service, links: LinkSettings? = nil, dateClient: DateClient) {
    self.init(service, links: links, dateClient: dateClient, limits: .init(), origin: nil)
  }

  init(
    _ service: Service, links: LinkSettings?, dateClient: DateClient, limits: TransferLimits,
    origin: String?
  ) {
    self.service = service
    self.links = links
    self.dateClient = dateClient
    self.limits = limits
    self.origin = origin
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard var values = service.values(address: delivery.address, secret: delivery.secret) else {
      return .permanent(reason: "\(service.title) has no such channel")
    }
    if let missing = service.fields.first(where: { (values[$0.id] ?? "").isEmpty }) {
      return .permanent(
        reason: "\(service.title) needs its \(missing.title): add the channel again")
    }
    for field in service.fields where (try? field.checked(values[field.id] ?? "")) == nil {
      return .permanent(reason: "\(service.title): the \(field.title) cannot be used")
    }
    let text = MessageText(delivery: delivery, links: links, calendar: dateClient.calendar)
    let short = text.short
    values["title"] = short.title
    values["message"] = cut(short.text, answeredBy: delivery.code?.value)
    values["text"] = cut("\(short.title)\n\n\(short.text)", answeredBy: delivery.code?.value)
    values["escaped"] = values["text"]?.escapedForMarkup
    values["id"] = delivery.id.uuidString.lowercased()
    guard var request = service.request.filled(with: values, isUrgent: text.isUrgent) else {
      return .permanent(reason: "\(service.title): a field cannot stand in a header")
    }
    if let origin { request.url = origin + request.url.path }
    let result = await HTTPTransfer.result(
      of: request, settings: .init(limits: limits, reachesPrivate: request.url.namesItsHost))
    return judge(result, now: dateClient.now())
  }

  /// Shortens a text to the service's limit. The last paragraph, which says how to answer, is kept
  /// whole, so that a long note can't push it out.
  private func cut(_ text: String, answeredBy code: String?) -> String {
    guard text.utf8.count > service.limit, let code,
      let answer = text.parts(between: "\n\n").last, answer.contains(code),
      answer.utf8.count < service.limit / 2
    else { return text.shortened(toBytes: service.limit) }
    let rest = String(text.dropLast(answer.count + 2))
    return rest.shortened(toBytes: service.limit - answer.utf8.count - 2) + "\n\n" + answer
  }

  /// Judges the answer by its status, then by the members it must contain.
  private func judge(_ result: HTTPResult, now: Date) -> DeliveryOutcome {
    let outcome = DeliveryOutcome(result, service: service.title, now: now)
    guard case .reply(let reply) = result else { return outcome }
    let answer = try? JSONDecoder().decode(JSONValue.self, from: Data(reply.body))
    if service.retried.contains(reply.status) {
      return .retry(reason: "\(service.title) asked to try later (\(reply.status))", after: nil)
    }
    switch outcome {
    case .sent:
      guard service.statuses.isEmpty || service.statuses.contains(reply.status) else {
        return .permanent(reason: "\(service.title) didn't accept the message (\(reply.status))")
      }
      guard let accepted = service.accepted else { return .sent }
      guard let answer else {
        // Nobody knows whether it was accepted.
        return .ambiguous(reason: "\(service.title)'s answer could not be read")
      }
      let isAccepted = accepted.allSatisfy { answer[[$0.key]] == $0.value }
      return isAccepted ? .sent : .permanent(reason: "\(service.title) refused the message")
    case .retry(let reason, nil):
      return .retry(
        reason: reason, after: answer?[service.retryAfter]?.span(of: service.retryAfter))
    default: return outcome
    }
  }
}

extension Service.Request {
  /// Returns the request with every value encoded for its position.
  /// - Returns: `nil` if a header can't hold a value.
  func filled(with values: [String: String], isUrgent: Bool) -> HTTPRequest? {
    let address = Template(url)
    // A value at the start is a whole URL, which was checked as one.
    let base: String
    let rest: [Template.Part]
    if case .value(let name) = address.parts.first {
      let whole = values[name] ?? ""
      var tail = Array(address.parts.dropFirst())
      if case .text(let text) = tail.first, text.hasPrefix("?"), whole.contains("?") {
        tail[0] = .text("&" + text.dropFirst())
      }
      if case .text(let text) = tail.first, text.hasPrefix("/"), whole.hasSuffix("/") {
        base = String(whole.dropLast())
      } else {
        base = whole
      }
      rest = tail
    } else {
      (base, rest) = ("", address.parts)
    }
    let path = Template(parts: rest).filled(with: values, encode: \.percentEncoded)
    var fields: [(name: String, value: String)] = []
    for (name, text) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      fields.append((name, Template(text).filled(with: values)))
    }
    if let basic {
      let pair = Template(basic).filled(with: values)
      fields.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
    }
    guard fields.allSatisfy({ $0.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } }) else {
      return nil
    }
    let body: [UInt8]
    if let form {
      fields.append(("Content-Type", "application/x-www-form-urlencoded"))
      let pairs = form.sorted { $0.key < $1.key }.map { name, value in
        "\(name.percentEncoded)=\(value.filled(with: values, isUrgent: isUrgent).plain.percentEncoded)"
      }
      body = Array(pairs.joined(separator: "&").utf8)
    } else {
      fields.append(("Content-Type", "application/json"))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Encoding can't fail for values that a service's file can hold.
      body = Array(try! encoder.encode(json?.filled(with: values, isUrgent: isUrgent) ?? .null))
    }
    return HTTPRequest(
      method: HTTPRequest.Method(rawValue: method ?? "POST") ?? .post, url: base + path,
      headers: fields, body: body)
  }
}

extension JSONValue {
  fileprivate func filled(with values: [String: String], isUrgent: Bool) -> JSONValue {
    switch self {
    case .string(let text): return .string(Template(text).filled(with: values))
    case .array(let items): return .array(items.map { $0.filled(with: values, isUrgent: isUrgent) })
    case .object(let members):
      if members.count == 2, let urgent = members["urgent"], let otherwise = members["otherwise"] {
        return (isUrgent ? urgent : otherwise).filled(with: values, isUrgent: isUrgent)
      }
      return .object(members.mapValues { $0.filled(with: values, isUrgent: isUrgent) })
    default: return self
    }
  }

  /// The value as text in a form.
  fileprivate var plain: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let value): "\(value)"
    default: ""
    }
  }

  /// The member at the end of a path of names; `nil` if there is none.
  fileprivate subscript(path: [String]) -> JSONValue? {
    path.reduce(self as JSONValue?) { value, name in
      guard case .object(let members) = value else { return nil }
      return members[name]
    }
  }

  /// Returns the delay that a service asks for: in seconds, or in milliseconds if the name ends in
  /// `_ms`. At most five minutes, because someone waits for help.
  fileprivate func span(of path: [String]) -> TimeSpan? {
    let number: Double
    switch self {
    case .integer(let value): number = Double(value)
    case .number(let value): number = value
    default: return nil
    }
    let seconds = path.last?.hasSuffix("_ms") == true ? number / 1_000 : number
    return seconds > 0 ? .seconds(Int(min(300, seconds.rounded(.up)))) : nil
  }
}

extension String {
  /// The string with the three characters of Slack's markup escaped.
  fileprivate var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// The part after scheme and host.
  fileprivate var path: String {
    guard let start = firstRange(of: "://") else { return self }
    return String(self[start.upperBound...].drop { $0 != "/" })
  }

  /// Whether the URL's host is an IP address or localhost, so that exactly that machine was meant.
  var namesItsHost: Bool {
    guard let start = firstRange(of: "://") else { return false }
    let authority = self[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    let host = authority.hasPrefix("[") ? authority : authority.prefix { $0 != ":" }
    return NetworkAddress(
      literal: host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host))
      != nil || host == "localhost"
  }
}

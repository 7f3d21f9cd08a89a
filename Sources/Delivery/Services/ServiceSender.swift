package import Clients
import Curl
public import Domain
import FoundationEssentials
import System

/// Delivers by a messaging service as declared in its file (CHN-4).
public struct ServiceSender: Sendable {
  private let service: Service
  private let links: LinkSettings?
  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  /// Replaces the scheme and host of the service's URL; for tests.
  private let origin: String?
  /// Whether a URL of a person's own leads to no private address.
  private let staysOutside: @Sendable (_ url: String) -> Bool
  private let recordMove: RecordMove

  /// Records a channel's new address: the service says that the recipient has moved there.
  public typealias RecordMove = @Sendable (ClaimedDelivery, _ address: String) async -> Void

  package init(
    _ service: Service, links: LinkSettings? = nil, dateClient: DateClient,
    http: HTTPClient = .live, limits: TransferLimits = .init(), origin: String? = nil,
    staysOutside: @escaping @Sendable (_ url: String) -> Bool = { _ in false },
    recordMove: @escaping RecordMove = { _, _ in }
  ) {
    self.service = service
    self.links = links
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.origin = origin
    self.staysOutside = staysOutside
    self.recordMove = recordMove
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard let fields = service.values(address: delivery.address, secret: delivery.secret) else {
      return .permanent(reason: "\(service.title) has no such channel")
    }
    if let missing = service.fields.first(where: { (fields[$0.id] ?? "").isEmpty }) {
      return .permanent(
        reason: "\(service.title) needs its \(missing.title): add the channel again")
    }
    for field in service.fields where (try? field.checked(fields[field.id] ?? "")) == nil {
      return .permanent(reason: "\(service.title): the \(field.title) cannot be used")
    }
    let text = MessageText(delivery: delivery, links: links, calendar: dateClient.calendar)
    let result = await send(text, to: fields)
    // A group that has moved gets the message where it is now, at once; it can't move again.
    guard case .reply(let reply) = result, let new = moved(fields, reply.answer) else {
      return outcome(of: result)
    }
    await recordMove(delivery, service.address(new))
    return outcome(of: await send(text, to: new))
  }

  private func outcome(of result: HTTPResult?) -> DeliveryOutcome {
    guard let result else {
      return .permanent(reason: "\(service.title): a field cannot stand in a header")
    }
    return DeliveryOutcome(
      result, service: service.title, rules: service.answers, now: dateClient.now())
  }

  /// - Returns: `nil` if a field can't stand in the request.
  private func send(_ text: MessageText, to fields: [String: String]) async -> HTTPResult? {
    guard
      var request = service.request.filled(
        with: ServiceText(text, for: service), fields, isUrgent: text.isUrgent)
    else { return nil }
    if let origin { request.url = origin + request.url.path }
    // Where the service's file names the host, its author allows it.
    let staysOutside = service.request.hostIsAField && staysOutside(request.url)
    request.limits = limits
    request.reach = .web(
      privateNetworks: request.url.namesItsHost && !staysOutside, thisMachine: !staysOutside)
    return await http.send(request)
  }

  /// Returns the fields as the service says that they are now; `nil` if it doesn't say so.
  private func moved(_ fields: [String: String], _ answer: ServiceAnswer) -> [String: String]? {
    var new = fields
    for field in service.fields {
      guard let path = service.answers.moved[field.id], let value = answer[path]?.plain,
        let checked = try? field.checked(value)
      else { continue }
      new[field.id] = checked
    }
    return new == fields ? nil : new
  }
}

extension Service.Request {
  /// Whether the person who has the channel says which host it leads to.
  fileprivate var hostIsAField: Bool {
    guard case .text(let text)? = Template(url).parts.first,
      let start = text.firstRange(of: "://")
    else { return true }
    return !text[start.upperBound...].contains("/")
  }

  /// Returns the request with every value encoded for its position.
  /// - Returns: `nil` if a header can't hold a value.
  fileprivate func filled(
    with text: ServiceText, _ fields: [String: String], isUrgent: Bool
  ) -> HTTPRequest? {
    let values = text.values.merging(fields) { _, field in field }
    let lists = text.lists
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
    var head: [(name: String, value: String)] = []
    for (name, text) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      head.append((name, Template(text).filled(with: values)))
    }
    if let basic {
      let pair = Template(basic).filled(with: values)
      head.append(("Authorization", "Basic \(Data(pair.utf8).base64EncodedString())"))
    }
    guard head.allSatisfy({ $0.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } }) else {
      return nil
    }
    let body: Data
    if let form {
      head.append(("Content-Type", "application/x-www-form-urlencoded"))
      let pairs = form.sorted { $0.key < $1.key }.map { name, value in
        let filled = value.filled(with: values, lists, isUrgent: isUrgent)
        return "\(name.percentEncoded)=\(filled.plain.percentEncoded)"
      }
      body = Data(pairs.joined(separator: "&").utf8)
    } else {
      head.append(("Content-Type", "application/json"))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Encoding can't fail for values that a service's file can hold.
      let filled = json?.filled(with: values, lists, isUrgent: isUrgent) ?? .null
      body = try! encoder.encode(filled)
    }
    return HTTPRequest(
      method: HTTPRequest.Method(rawValue: method ?? "POST") ?? .post, url: base + path,
      headers: head, body: body)
  }
}

extension JSONValue {
  /// - Parameter lists: The values for which an item of an array can be repeated.
  fileprivate func filled(
    with values: [String: String], _ lists: [String: [String]], isUrgent: Bool
  ) -> JSONValue {
    func filled(_ value: JSONValue, _ values: [String: String]) -> JSONValue {
      value.filled(with: values, lists, isUrgent: isUrgent)
    }
    switch self {
    case .string(let text): return .string(Template(text).filled(with: values))
    case .array(let items):
      return .array(
        items.flatMap { item -> [JSONValue] in
          guard case .object(let members) = item, members.count == 2,
            case .string(let name) = members["each"], let item = members["item"],
            let parts = lists[name]
          else { return [filled(item, values)] }
          return parts.map { part in filled(item, values.merging([name: part]) { _, new in new }) }
        })
    case .object(let members):
      if members.count == 2, let urgent = members["urgent"], let otherwise = members["otherwise"] {
        return filled(isUrgent ? urgent : otherwise, values)
      }
      return .object(members.mapValues { filled($0, values) })
    default: return self
    }
  }
}

extension String {
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

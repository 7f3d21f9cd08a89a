import Domain
import FoundationEssentials

/// How the answers of a service are told apart (CHN-2).
///
/// Only the service's own words decide. What a proxy, a login page or another server says in its
/// place delays a message at most.
package struct AnswerRules: Equatable, Sendable, Decodable {
  /// The answers that mean that the service took the message; `nil` if nobody has declared them.
  /// Then any answer with a status for success counts that isn't a web page.
  package var accepted: [AnswerPattern]?
  /// The statuses of those answers; empty for any from 200 to 299.
  package var statuses: [Int]
  /// The statuses from 200 to 299 that mean that nothing was taken.
  package var retried: [Int]
  /// The answers that mean that nothing was taken, whatever their status.
  package var refused: [AnswerPattern]
  /// The answers that mean that a token or a password is wrong.
  package var wrongCredentials: [AnswerPattern]
  /// The answers that mean that the recipient doesn't exist, or can't be sent to.
  package var unknownRecipient: [AnswerPattern]
  /// The answers that mean that no more messages are taken for now.
  package var limited: [AnswerPattern]
  /// The path in the answer to the seconds to wait before another attempt, or milliseconds behind a
  /// name in `_ms`; empty if only a header has them.
  package var retryAfter: [String]
  /// The path in the answer to the new value of a field, by the field: the recipient has moved.
  package var moved: [String: [String]]

  package init(
    accepted: [AnswerPattern]? = nil, refused: [AnswerPattern] = [],
    wrongCredentials: [AnswerPattern] = [], unknownRecipient: [AnswerPattern] = [],
    limited: [AnswerPattern] = []
  ) {
    self.accepted = accepted
    statuses = []
    retried = []
    self.refused = refused
    self.wrongCredentials = wrongCredentials
    self.unknownRecipient = unknownRecipient
    self.limited = limited
    retryAfter = []
    moved = [:]
  }

  private enum CodingKeys: String, CodingKey {
    case accepted, statuses, retried, refused, wrongCredentials, unknownRecipient, limited
    case retryAfter, moved
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func patterns(_ key: CodingKeys) throws -> [AnswerPattern]? {
      try container.decodeIfPresent(AnswerPattern.List.self, forKey: key)?.patterns
    }
    func list<Element: Decodable>(_ key: CodingKeys) throws -> [Element] {
      try container.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    accepted = try patterns(.accepted)
    statuses = try list(.statuses)
    retried = try list(.retried)
    refused = try patterns(.refused) ?? []
    wrongCredentials = try patterns(.wrongCredentials) ?? []
    unknownRecipient = try patterns(.unknownRecipient) ?? []
    limited = try patterns(.limited) ?? []
    retryAfter = try list(.retryAfter)
    moved = try container.decodeIfPresent([String: [String]].self, forKey: .moved) ?? [:]
  }
}

/// An answer to look for: a text, or members of a JSON object. `*` in a text stands for anything;
/// alone, for anything but an empty text, object or list, `null`, `false` and 0. Case doesn't
/// matter.
package enum AnswerPattern: Equatable, Sendable, Decodable {
  case text(String)
  case members([String: JSONValue])

  /// One pattern, or several in an array.
  struct List: Decodable {
    var patterns: [AnswerPattern]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let several = try? container.decode([AnswerPattern].self) {
        patterns = several
      } else {
        patterns = [try container.decode(AnswerPattern.self)]
      }
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .members(try container.decode([String: JSONValue].self))
    }
  }
}

/// What a service answered, for comparison with patterns.
package struct ServiceAnswer: Equatable, Sendable {
  /// The answer without white space around it.
  package let text: String
  /// The answer as JSON; `nil` if it is none, or incomplete.
  package let json: JSONValue?
  private let isWhole: Bool

  package init(_ body: [UInt8], isWhole: Bool = true) {
    var text = String(decoding: body, as: UTF8.self)
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    self.text = text.trimmingWhitespace()
    self.isWhole = isWhole
    json = isWhole ? try? JSONDecoder().decode(JSONValue.self, from: Data(body)) : nil
  }

  /// Whether it is a web page, whatever its type says: some services announce a word as HTML.
  package var isPage: Bool {
    guard text.hasPrefix("<") else { return false }
    let start = text.prefix(1_000).lowercased()
    return ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script", "<!--"]
      .contains { start.contains($0) }
  }

  package func matches(_ patterns: [AnswerPattern]) -> Bool { patterns.contains(where: matches) }

  private func matches(_ pattern: AnswerPattern) -> Bool {
    switch pattern {
    case .text(let text): isWhole && self.text.matches(text)
    case .members(let members): json?.matches(.object(members)) ?? false
    }
  }

  /// Returns the member at the end of a path of names; `nil` if there is none.
  package subscript(path: [String]) -> JSONValue? {
    path.isEmpty
      ? nil
      : path.reduce(json) { value, name in
        guard case .object(let members) = value else { return nil }
        return members[name]
      }
  }
}

extension JSONValue {
  /// Whether a value has everything that a pattern names.
  fileprivate func matches(_ pattern: JSONValue) -> Bool {
    switch (self, pattern) {
    case (.object(let members), .object(let wanted)):
      wanted.allSatisfy { members[$0.key]?.matches($0.value) ?? false }
    case (.object(let members), .string("*")): !members.isEmpty
    case (.array(let items), .string("*")): !items.isEmpty
    case (.null, .string), (.bool(false), .string("*")), (.integer(0), .string("*")): false
    case (_, .string(let text)): plain.matches(text)
    default: self == pattern
    }
  }

  /// A text, a number or a Boolean as text.
  package var plain: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let value): "\(value)"
    default: ""
    }
  }
}

extension String {
  /// Whether the string fits a text in which `*` stands for anything; `*` alone for anything that
  /// isn't empty.
  fileprivate func matches(_ pattern: String) -> Bool {
    if pattern == "*" { return !isEmpty }
    let parts = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
    var rest = lowercased()[...]
    guard let first = parts.first, let last = parts.last, rest.hasPrefix(first) else {
      return false
    }
    guard parts.count > 1 else { return rest == first }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

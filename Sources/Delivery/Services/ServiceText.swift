import Clients
import Domain
import FoundationEssentials

/// The texts of a message that fit a service: cut to its limits, with its markup escaped.
struct ServiceText {
  /// The values for the request, by their names.
  private(set) var values: [String: String]
  /// The values that stand for several texts or none.
  private(set) var lists: [String: [String]]

  init(_ text: MessageText, for service: Service) {
    let short = text.short
    let code = text.delivery.code?.value
    let (title, body) = short.fitting(title: service.titleLimit)
    func fitted(_ text: String) -> String {
      Self.fitted(text, to: service.limit, answeredBy: code) {
        service.markup?.escaped($0) ?? $0
      }
    }
    let whole = Self.cut(
      "\(short.title)\n\n\(short.text)", to: service.limit, answeredBy: code)
    values = [
      "title": service.markup?.escaped(title) ?? title, "message": fitted(body),
      "text": fitted("\(short.title)\n\n\(short.text)"),
      "escaped": Service.Markup.slack.escaped(whole),
      "id": text.delivery.id.uuidString.lowercased(),
    ]
    lists = [
      "line": fitted(body).split(separator: "\n").map(String.init),
      "link": text.link.map { [$0] } ?? [],
    ]
  }

  /// Shortens a text so that it fits a limit in bytes once it is escaped.
  private static func fitted(
    _ text: String, to limit: Int, answeredBy code: String?, escape: (String) -> String
  ) -> String {
    func escaped(_ size: Int) -> String { escape(cut(text, to: size, answeredBy: code)) }
    var (size, tooMuch) = (0, limit + 1)
    if escaped(limit).utf8.count <= limit { size = limit }
    while size + 1 < tooMuch {
      let middle = (size + tooMuch) / 2
      if escaped(middle).utf8.count <= limit { size = middle } else { tooMuch = middle }
    }
    return escaped(size)
  }

  /// Shortens a text. The last paragraph, which says how to answer, is kept whole, so that a long
  /// note can't push it out.
  private static func cut(_ text: String, to limit: Int, answeredBy code: String?) -> String {
    guard text.utf8.count > limit, let code,
      let answer = text.parts(between: "\n\n").last, answer.contains(code),
      answer.utf8.count < limit / 2
    else { return text.shortened(toBytes: limit) }
    let rest = String(text.dropLast(answer.count + 2))
    return rest.shortened(toBytes: limit - answer.utf8.count - 2) + "\n\n" + answer
  }
}

extension MessageText.Short {
  /// Returns title and text with the title cut between words to a number of characters. What is cut
  /// off stands at the beginning of the text, unless it is there already.
  func fitting(title limit: Int) -> (title: String, text: String) {
    guard title.utf16.count > limit else { return (title, text) }
    var start = ""
    var size = 1
    for character in title {
      size += character.utf16.count
      guard size <= limit else { break }
      start.append(character)
    }
    if let space = start.lastIndex(of: " "), start[space...].count < limit / 2 {
      start = String(start[..<space])
    }
    let rest = title.dropFirst(start.count).trimmingWhitespace()
    return (start + "…", text.contains(rest) ? text : "…\(rest)\n\n\(text)")
  }
}

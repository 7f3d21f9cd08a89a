/// The path of a route, such as `/v1/contacts/{id}/accept`. A name in braces stands for one
/// segment; with a star, at the end, for all that follow.
public struct RoutePath: Hashable, Sendable, CustomStringConvertible {
  enum Segment: Hashable, Sendable {
    case literal(String)
    case argument(String)
    case rest(String)
  }

  public let description: String
  let segments: [Segment]

  init(_ text: String) {
    description = text
    segments = text.split(separator: "/").map { part in
      guard part.first == "{", part.last == "}" else { return .literal(String(part)) }
      let name = part.dropFirst().dropLast()
      return name.last == "*" ? .rest(String(name.dropLast())) : .argument(String(name))
    }
  }

  /// The names in braces.
  var arguments: [String] {
    segments.compactMap {
      if case .argument(let name) = $0 {
        name
      } else if case .rest(let name) = $0 {
        name
      } else {
        nil
      }
    }
  }

  /// Returns the arguments in a path that matches; `nil` for another.
  func match(_ path: [String]) -> [String: String]? {
    var arguments: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < path.count else { return nil }
      switch segment {
      case .literal(let text): if path[index] != text { return nil }
      case .argument(let name): arguments[name] = path[index]
      case .rest(let name):
        arguments[name] = path[index...].joined(separator: "/")
        return arguments
      }
    }
    return path.count == segments.count ? arguments : nil
  }

  /// Returns the path with a text for each of its arguments.
  func filled(_ text: (String) throws -> String) rethrows -> String {
    try segments.map { segment in
      switch segment {
      case .literal(let text): "/" + text
      case .argument(let name): "/" + PercentCoding.encode(try text(name))
      case .rest(let name): "/" + PercentCoding.encode(try text(name), keeping: UInt8(ascii: "/"))
      }
    }.joined()
  }
}

/// The percent-encoding of texts in paths and queries (RFC 3986).
package enum PercentCoding {
  package static func encode(_ text: String, keeping kept: UInt8? = nil) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"), kept:
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  /// - Returns: `nil` if the text isn't encoded correctly.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = digit(rest.removeFirst()),
        let low = digit(rest.removeFirst())
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// An invitation to a server: `lifesignal://join/HOST[:PORT]/CODE[?http][#FINGERPRINT]`.
public struct ServerLink: Equatable, Sendable {
  public var server: JoinedServer
  /// The code by which the server knows the invitation.
  public var code: String

  /// The reason why a text isn't an invitation, as a sentence.
  public struct Malformed: Error, Equatable, Sendable {
    public var reason: String
  }

  private static let start = "lifesignal://join/"

  init(_ server: JoinedServer, code: String) {
    self.server = server
    self.code = code
  }

  /// Whether the code is as long as every code that a server makes.
  public var isWhole: Bool { code.utf8.count == 32 }

  /// The text of the link.
  public var text: String {
    Self.start + "\(server.name)/\(code)\(server.query)"
      + (server.fingerprint.map { "#\($0)" } ?? "")
  }

  public init(_ text: String) throws(Malformed) {
    guard text.utf8.count <= 500 else { throw Malformed(reason: "It is too long.") }
    guard text.lowercased().hasPrefix(Self.start) else {
      throw Malformed(reason: "It begins with \(Self.start).")
    }
    var rest = text.dropFirst(Self.start.count)
    var fingerprint: String?
    if let mark = rest.firstIndex(of: "#") {
      let digits = rest[rest.index(after: mark)...].lowercased()
      guard Self.isFingerprint(digits) else {
        throw Malformed(
          reason: "What follows # is the server's fingerprint of 64 digits and letters a to f;"
            + " perhaps its end was cut off.")
      }
      fingerprint = digits
      rest = rest[..<mark]
    }
    let isPlain = rest.hasSuffix("?http")
    if isPlain { rest = rest.dropLast(5) }
    guard !rest.contains("?") else {
      throw Malformed(reason: "Only http can follow the question mark.")
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw Malformed(
        reason:
          "After the server comes a slash and the code of the invitation;"
          + " perhaps its end was cut off."
      )
    }
    guard parts[1].allSatisfy({ isWordLetter($0) || $0 == "-" || $0 == "_" }) else {
      throw Malformed(reason: "The code of an invitation has letters and digits only.")
    }
    let host = try Self.host(parts[0])
    if isPlain, !Self.isThisMachine(host) {
      throw Malformed(
        reason: "Without encryption (?http) only a server on this machine can be reached.")
    }
    if isPlain, fingerprint != nil {
      throw Malformed(reason: "A server that is reached without encryption has no fingerprint.")
    }
    server = JoinedServer(
      url: (isPlain ? "http://" : "https://") + parts[0].lowercased(), fingerprint: fingerprint)
    code = String(parts[1])
  }

  static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
  }

  /// Returns the host of `HOST[:PORT]`: a name, an IPv4 address or an IPv6 address in brackets.
  private static func host(_ authority: Substring) throws(Malformed) -> Substring {
    let isBracketed = authority.hasPrefix("[")
    guard
      let end = isBracketed
        ? authority.firstIndex(of: "]").map(authority.index(after:))
        : authority.firstIndex(of: ":") ?? authority.endIndex
    else { throw Malformed(reason: "The server's address lacks its closing bracket.") }
    let host = authority[..<end]
    guard host.count > (isBracketed ? 2 : 0) else { throw Malformed(reason: "It names no server.") }
    let isValid = host.allSatisfy { letter in
      isWordLetter(letter) || ".-".contains(letter) || (isBracketed && ":[]".contains(letter))
    }
    guard isValid else {
      throw Malformed(reason: "The server's name has letters, digits, dots and hyphens only.")
    }
    guard end != authority.endIndex else { return host }
    let port = authority[end...].dropFirst()
    guard authority[end] == ":", let number = UInt16(port), number > 0, "\(number)" == port else {
      throw Malformed(reason: "The server's port is a number from 1 to 65535.")
    }
    return host
  }

  private static func isThisMachine(_ host: Substring) -> Bool {
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    let isLoopback =
      octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
    return isLoopback || ["localhost", "[::1]"].contains(host.lowercased())
  }
}

private func isWordLetter(_ letter: Character) -> Bool {
  letter.isASCII && (letter.isLetter || letter.isNumber)
}

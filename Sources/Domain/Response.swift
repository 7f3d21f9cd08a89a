/// The result of answering a message with the code in it.
public struct Response: Equatable, Codable, Sendable {
  public enum Kind: String, Equatable, Codable, Sendable {
    /// The responder is responding to the alert (ESC-2).
    case acknowledged
    /// The contact has declined to be one (CON-3).
    case declined
  }

  public var kind: Kind
  /// The person it is about.
  public var person: String
  /// The name of the person who answered.
  public var responder: String
  /// Whether the code was typed in a program in which the person it is about is signed in.
  public var isAboutUser: Bool

  public init(kind: Kind, person: String, responder: String, isAboutUser: Bool = false) {
    self.kind = kind
    self.person = person
    self.responder = responder
    self.isAboutUser = isAboutUser
  }

  /// The result as a sentence.
  public var summary: String {
    switch kind {
    case .acknowledged where isAboutUser: "\(responder) is responding."
    case .acknowledged:
      // This doesn't name who gets a message: the person of a silent alert gets none.
      "\(responder) is responding. Others who were notified get a message."
    case .declined: "\(responder) gets no more messages about \(isAboutUser ? "you" : person)."
    }
  }
}

/// The code by which a responder acknowledges an alert: ten characters that can't be mistaken for
/// one another (Crockford's base 32), 50 random bits.
public enum ResponseCode {
  static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  public static let length = 10

  /// Returns a new code as it is stored.
  /// - Parameter bytes: At least ``length`` random bytes.
  public static func make(from bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.prefix(length).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }

  /// Returns a typed code as it would be stored: case and spacing are ignored, and letters that
  /// look like digits are read as digits.
  public static func normalized(_ typed: String) -> String {
    let digits: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
    return String(plain(typed).map { digits[$0] ?? $0 })
  }

  /// Returns a typed code in upper case without spaces and dashes; its letters stay, since codes of
  /// other kinds use other ones.
  public static func plain(_ typed: String) -> String {
    String(typed.prefix(64).uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }

  /// Whether what was typed could be a message's code, of this kind or an older, shorter one.
  public static func isPlausible(_ typed: String) -> Bool {
    (8...length).contains(plain(typed).count)
  }

  /// Returns a stored code as a message shows it: `7K3QF-9ZD2M`.
  public static func displayText(_ code: String) -> String {
    guard code.utf8.count == length else { return code }
    return "\(code.prefix(length / 2))-\(code.suffix(length / 2))"
  }
}

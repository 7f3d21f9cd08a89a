/// What the code of a message did.
public struct Response: Equatable, Codable, Sendable {
  public enum Kind: String, Equatable, Codable, Sendable {
    /// The responder is responding to the alert (ESC-2).
    case acknowledged
    /// The contact wants to be none (CON-3).
    case declined
  }

  public var kind: Kind
  /// The person it is about.
  public var person: String
  /// Who answered.
  public var responder: String
  /// Whether it is about the person who typed the code, or who sits beside them.
  public var isAboutUser: Bool

  public init(kind: Kind, person: String, responder: String, isAboutUser: Bool = false) {
    self.kind = kind
    self.person = person
    self.responder = responder
    self.isAboutUser = isAboutUser
  }

  /// What was done, in a sentence.
  public var summary: String {
    switch kind {
    case .acknowledged where isAboutUser: "\(responder) is responding."
    case .acknowledged:
      // Nor does it say who gets a message: the person of a silent alert gets none.
      "\(responder) is responding. Others who were notified get a message."
    case .declined: "\(responder) gets no more messages about \(isAboutUser ? "you" : person)."
    }
  }
}

/// The code by which a responder acknowledges an alert: ten characters that nobody confuses
/// (Crockford's base 32), 50 random bits.
public enum ResponseCode {
  static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  public static let length = 10

  /// A new code as it is stored.
  /// - Parameter bytes: Random; at least ``length`` of them.
  public static func make(from bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.prefix(length).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }

  /// What was typed as the store would have it: in any case and spacing, with the letters that look
  /// like digits taken for them.
  public static func normalized(_ typed: String) -> String {
    let digits: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
    return String(plain(typed).map { digits[$0] ?? $0 })
  }

  /// What was typed without spaces, dashes and case: codes of other kinds have other letters.
  public static func plain(_ typed: String) -> String {
    String(typed.prefix(64).uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }

  /// Whether what was typed could be the code of a message, of this kind or an older one with fewer
  /// characters.
  public static func isPlausible(_ typed: String) -> Bool {
    (8...length).contains(plain(typed).count)
  }

  /// A stored code as a message shows it: `7K3QF-9ZD2M`.
  public static func displayText(_ code: String) -> String {
    guard code.utf8.count == length else { return code }
    return "\(code.prefix(length / 2))-\(code.suffix(length / 2))"
  }
}

public import FoundationEssentials

/// An ntfy topic and its server.
///
/// Anyone who knows a topic's name can read and write it, so a name made by this program has a
/// hundred random bits: `lifesignal-k7qm2-x4v9b-3hdfw-p8c6n`.
public struct NtfyTopic: Equatable, Codable, Sendable {
  /// The server's address without a trailing slash.
  public var server: String
  public var name: String

  /// - Parameter address: The topic's URL, as ``Channel/Kind/checkedAddress(_:)`` returns it.
  public init?(_ address: String) {
    guard let slash = address.lastIndex(of: "/"), !address.contains("?") else { return nil }
    server = String(address[..<slash])
    name = String(address[address.index(after: slash)...])
    guard server.contains("://"), !server.hasSuffix("/"), !name.isEmpty else { return nil }
  }

  /// Creates a topic on the public server that nobody can guess.
  /// - Parameter random: ``randomCount`` bytes from a secure generator.
  public init(random: [UInt8]) {
    precondition(random.count == Self.randomCount)
    let characters = random.map { Self.alphabet[Int($0) % Self.alphabet.count] }
    let groups = stride(from: 0, to: characters.count, by: Self.groupLength).map {
      String(decoding: characters[$0..<$0 + Self.groupLength], as: UTF8.self)
    }
    server = Self.publicServer
    name = ([Self.prefix] + groups).joined(separator: "-")
  }

  /// Creates a topic on the public server that is named after a random identity.
  public init(id: UUID) {
    server = Self.publicServer
    name = id.uuidString.lowercased().replacing("-", with: "")
  }

  /// Whether it is on the public server, the default in ntfy's phone app.
  public var isOnPublicServer: Bool { server == Self.publicServer }

  /// The topic's URL.
  public var address: String { "\(server)/\(name)" }

  /// How to subscribe to the topic, for a responder.
  public var invitation: String {
    "Install the free app ntfy on your phone (https://ntfy.sh), tap + and subscribe to the topic "
      + name + (isOnPublicServer ? "." : " on the server \(server).")
  }

  /// Whether nobody can guess the name: it has the form that ``init(random:)`` gives it, or is the
  /// 32 hexadecimal digits of an identity, such as a standby's topic.
  public var isGenerated: Bool {
    if name.utf8.count == 32, name.utf8.allSatisfy("0123456789abcdef".utf8.contains) { return true }
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.first == Self.prefix[...]
      && parts.count == 1 + Self.randomCount / Self.groupLength
      && parts.dropFirst().allSatisfy { part in
        part.utf8.count == Self.groupLength && part.utf8.allSatisfy(Self.alphabet.contains)
      }
  }

  /// A warning about a name that others may guess if nothing else protects it, or `nil`.
  var doubt: String? {
    let isHardToGuess = isGenerated || name.count >= 16 && name.contains(where: \.isNumber)
    guard isOnPublicServer, !isHardToGuess else { return nil }
    return "“\(name)” is easy to guess, and anyone who does can read your messages."
  }

  /// How many random bytes make a name; each gives five bits.
  public static let randomCount = 20
  private static let publicServer = "https://ntfy.sh"
  private static let groupLength = 5
  private static let prefix = "lifesignal"
  /// 32 characters that can't be mistaken for one another, since the name may be typed from a
  /// screen.
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
}

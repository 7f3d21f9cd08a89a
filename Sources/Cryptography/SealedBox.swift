import CSodium
public import FoundationEssentials

/// A text that anyone can seal with a public key and only the holder of the secret key can open, for
/// one purpose: X25519 and XSalsa20-Poly1305, libsodium's `crypto_box_seal`. Every text up to 4,096
/// bytes gives a box of the same size. Its JSON is `{"sealed": "BASE64"}`.
public struct SealedBox: Codable, Equatable, Sendable {
  private let sealed: Data

  /// A key pair, of which the public half is given to everyone who seals.
  public struct Keys: Sendable {
    public let publicKey: Data
    fileprivate let secretKey: [UInt8]

    /// Creates a random key pair.
    public init() {
      precondition(Sodium.isReady)
      var (open, secret) = (
        [UInt8](repeating: 0, count: Int(crypto_box_publickeybytes())),
        [UInt8](repeating: 0, count: Int(crypto_box_secretkeybytes()))
      )
      crypto_box_keypair(&open, &secret)
      (publicKey, secretKey) = (Data(open), secret)
    }

    /// Reads ``text``.
    /// - Returns: `nil` for any other text.
    public init?(_ text: String) {
      precondition(Sodium.isReady)
      guard let data = Data(base64Encoded: text), data.count == Int(crypto_box_secretkeybytes())
      else { return nil }
      secretKey = Array(data)
      var open = [UInt8](repeating: 0, count: Int(crypto_box_publickeybytes()))
      guard crypto_scalarmult_base(&open, secretKey) == 0 else { return nil }
      publicKey = Data(open)
    }

    /// The secret key in base64, for keeping it.
    public var text: String { Data(secretKey).base64EncodedString() }

    /// The secret key for people to write down: 52 letters and digits that nobody confuses, in
    /// groups of four.
    public var recoveryCode: String {
      var letters: [Character] = []
      var (bits, count) = (0, 0)
      for byte in secretKey + [0] {
        (bits, count) = (bits << 8 | Int(byte), count + 8)
        while count >= 5, letters.count < Self.letterCount {
          count -= 5
          letters.append(Self.alphabet[bits >> count & 31])
        }
        bits &= (1 << count) - 1
      }
      return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }
        .joined(separator: "-")
    }

    /// Reads ``recoveryCode`` as people type it: in any case, with or without separators.
    /// - Returns: `nil` for any other text.
    public init?(recoveryCode: String) {
      var bytes: [UInt8] = []
      var (bits, count, letters) = (0, 0, 0)
      for letter in recoveryCode.uppercased() where !letter.isWhitespace && letter != "-" {
        guard let value = Self.alphabet.firstIndex(of: letter) else { return nil }
        (bits, count, letters) = (bits << 5 | value, count + 5, letters + 1)
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(bits >> count & 255))
        }
        bits &= (1 << count) - 1
      }
      guard letters == Self.letterCount, bits == 0 else { return nil }
      self.init(Data(bytes).base64EncodedString())
    }

    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    private static let letterCount = 52

    /// Opens a key that was sealed to these keys.
    func open(_ sealed: [UInt8], into key: inout [UInt8]) -> Bool {
      crypto_box_seal_open(
        &key, sealed, UInt64(sealed.count), Array(publicKey), secretKey) == 0
    }
  }

  /// The longest text in bytes, and the length of a box's contents: the purpose, the date, the text and
  /// at least one byte that says where it ends.
  private static let (textLimit, length) = (4_096, 4_128)
  private static let (purposeLength, dateLength) = (16, 8)

  /// Seals a text. A longer one becomes empty.
  /// - Parameters:
  ///   - purpose: Opening needs the same one.
  ///   - date: When it was sealed, which nobody can change; `nil` if that isn't known.
  ///   - publicKey: ``Keys/publicKey`` of the one who may open it.
  /// - Returns: `nil` for a key of another kind.
  public init?(_ text: String, for purpose: UUID, at date: Date? = nil, to publicKey: Data) {
    precondition(Sodium.isReady)
    guard publicKey.count == Int(crypto_box_publickeybytes()) else { return nil }
    let text = text.utf8.count <= Self.textLimit ? Array(text.utf8) : []
    let milliseconds =
      date.map { Int64(max(-9e15, min($0.timeIntervalSince1970 * 1_000, 9e15))) } ?? .min
    var contents =
      Self.bytes(of: purpose) + withUnsafeBytes(of: milliseconds.bigEndian) { Array($0) } + text
    var padded = contents.count
    contents += [UInt8](repeating: 0, count: Self.length - contents.count)
    guard sodium_pad(&padded, &contents, padded, Self.length, contents.count) == 0 else {
      return nil
    }
    var sealed = [UInt8](repeating: 0, count: padded + Int(crypto_box_sealbytes()))
    guard crypto_box_seal(&sealed, contents, UInt64(padded), Array(publicKey)) == 0 else {
      return nil
    }
    self.sealed = Data(sealed)
  }

  /// Returns the text, and when it was sealed, in whole milliseconds.
  /// - Returns: `nil` if it was sealed to another key or for another purpose, or isn't a box.
  public func open(for purpose: UUID, with keys: Keys) -> (text: String, date: Date?)? {
    precondition(Sodium.isReady)
    let head = Int(crypto_box_sealbytes())
    guard sealed.count == Self.length + head else { return nil }
    var contents = [UInt8](repeating: 0, count: Self.length)
    guard
      crypto_box_seal_open(
        &contents, Array(sealed), UInt64(sealed.count), Array(keys.publicKey), keys.secretKey) == 0
    else { return nil }
    var count = 0
    guard sodium_unpad(&count, contents, contents.count, Self.length) == 0,
      count >= Self.purposeLength + Self.dateLength,
      Array(contents.prefix(Self.purposeLength)) == Self.bytes(of: purpose)
    else { return nil }
    let (text, date) = (
      contents[(Self.purposeLength + Self.dateLength)..<count],
      contents[Self.purposeLength..<(Self.purposeLength + Self.dateLength)]
    )
    let milliseconds = date.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return (
      String(decoding: text, as: UTF8.self),
      Int64(bitPattern: milliseconds) == .min
        ? nil
        : Date(timeIntervalSince1970: Double(Int64(bitPattern: milliseconds)) / 1_000)
    )
  }

  private static func bytes(of id: UUID) -> [UInt8] {
    withUnsafeBytes(of: id.uuid) { Array($0) }
  }
}

import CSodium

/// What an Argon2id hash costs.
struct HashCost: Equatable, Sendable {
  /// The number of passes over the memory.
  var operations: UInt64
  /// The memory in bytes.
  var memory: Int

  init(operations: UInt64, memory: Int) {
    self.operations = operations
    self.memory = memory
  }

  static let standard = HashCost(
    operations: UInt64(crypto_pwhash_opslimit_interactive()),
    memory: crypto_pwhash_memlimit_interactive())
  static let minimal = HashCost(
    operations: UInt64(crypto_pwhash_opslimit_min()), memory: crypto_pwhash_memlimit_min())
  /// The cost of hashes made before decision 101, which libsodium calls moderate.
  static let largest = HashCost(
    operations: UInt64(crypto_pwhash_opslimit_moderate()),
    memory: crypto_pwhash_memlimit_moderate())

  /// Reads `m=65536,t=2,p=1`; `nil` for what the algorithm doesn't allow, and for more than any hash
  /// made here costs: one that somebody else wrote must not take the memory of the machine.
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: ",")
    guard parts.count == 3, parts[0].hasPrefix("m="), parts[1].hasPrefix("t="), parts[2] == "p=1",
      let kibibytes = Int(parts[0].dropFirst(2)), let operations = UInt64(parts[1].dropFirst(2)),
      (Self.minimal.memory >> 10...Self.largest.memory >> 10).contains(kibibytes),
      (Self.minimal.operations...Self.largest.operations).contains(operations)
    else { return nil }
    self.init(operations: operations, memory: kibibytes << 10)
  }

  /// Whether hashes of this cost are made today.
  var isOfToday: Bool {
    operations <= Self.standard.operations && memory <= Self.standard.memory
  }
}

/// What a hash is made of besides the password.
struct HashRecipe: Equatable, Sendable {
  var cost: HashCost
  /// Random bytes, as many as the algorithm takes.
  var salt: [UInt8]

  /// Makes a recipe with a new salt.
  init(_ cost: HashCost) {
    self.init(cost, salt: SecureRandom.bytes(Int(crypto_pwhash_saltbytes())))
  }

  init(_ cost: HashCost, salt: [UInt8]) {
    self.cost = cost
    self.salt = salt
  }
}

/// An Argon2id hash, written as `$argon2id$v=19$m=65536,t=2,p=1$SALT$HASH`.
struct PasswordHash: Sendable {
  let recipe: HashRecipe
  private let bytes: [UInt8]

  private static let size = 32

  /// Computes the hash of a password.
  /// - Returns: `nil` if there isn't enough memory.
  init?(of password: String, _ recipe: HashRecipe) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let failed = password.withBytes { start, count in
      crypto_pwhash(
        &bytes, UInt64(Self.size), start, count, recipe.salt, recipe.cost.operations,
        recipe.cost.memory, crypto_pwhash_alg_argon2id13())
    }
    guard failed == 0 else { return nil }
    self.recipe = recipe
    self.bytes = bytes
  }

  /// Reads a hash; `nil` if the text is none that was made here, now or before.
  init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard text.utf8.count <= 200, parts.count == 6, parts[0].isEmpty,
      parts[1...2].elementsEqual(["argon2id", "v=19"]),
      let cost = HashCost(parts[3]),
      let salt = [UInt8](base64: parts[4]), salt.count == crypto_pwhash_saltbytes(),
      let bytes = [UInt8](base64: parts[5]), bytes.count == Self.size
    else { return nil }
    recipe = HashRecipe(cost, salt: salt)
    self.bytes = bytes
  }

  var text: String {
    let cost = recipe.cost
    return "$argon2id$v=19$m=\(cost.memory >> 10),t=\(cost.operations),p=1"
      + "$\(recipe.salt.base64)$\(bytes.base64)"
  }

  /// Compares in a time that says nothing about the bytes.
  func isEqual(to other: PasswordHash) -> Bool {
    recipe == other.recipe && sodium_memcmp(bytes, other.bytes, Self.size) == 0
  }
}

extension [UInt8] {
  private static let variant = sodium_base64_VARIANT_ORIGINAL_NO_PADDING

  /// Decodes base64 without padding.
  fileprivate init?(base64 text: Substring) {
    var bytes = [UInt8](repeating: 0, count: text.utf8.count)
    var count = 0
    let failed = String(text).withBytes { start, length in
      sodium_base642bin(
        &bytes, bytes.count, start, Int(length), nil, &count, nil, Self.variant)
    }
    guard failed == 0 else { return nil }
    self = [UInt8](bytes.prefix(count))
  }

  /// The bytes as base64 without padding.
  fileprivate var base64: String {
    var text = [CChar](
      repeating: 0, count: sodium_base64_encoded_len(count, Self.variant))
    sodium_bin2base64(&text, text.count, self, count, Self.variant)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension String {
  fileprivate func withBytes<Value>(_ body: (UnsafePointer<CChar>, UInt64) -> Value) -> Value {
    var copy = self
    return copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty text has no address.
        var nothing: CChar = 0
        guard let start = characters.baseAddress else { return body(&nothing, 0) }
        return body(start, UInt64(characters.count))
      }
    }
  }
}

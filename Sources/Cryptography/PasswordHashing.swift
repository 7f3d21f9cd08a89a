import CSodium
import Dispatch

/// Hashing of passwords and passphrases with libsodium's Argon2id
/// (docs/decisions/0006-system-libraries.md).
///
/// A hash is one line of text that names its cost, so that hashes of an older setting can still be
/// verified.
public struct PasswordHashing: Sendable {
  /// The number of passes over the memory.
  private let operations: UInt64
  /// The memory in bytes.
  private let memory: Int
  /// The queue in which a hash waits for its turn.
  private var queue = Self.queue

  /// 256 MiB and about a second, which libsodium calls moderate.
  public static let moderate = PasswordHashing(
    operations: UInt64(crypto_pwhash_opslimit_moderate()),
    memory: crypto_pwhash_memlimit_moderate())

  /// The least that the algorithm allows, which takes microseconds: for tests, never for a person's
  /// password.
  public static let minimal = PasswordHashing(
    operations: UInt64(crypto_pwhash_opslimit_min()), memory: crypto_pwhash_memlimit_min())

  /// The same hashing in a separate queue, for passwords that anyone can send: a full queue of
  /// those holds up nobody's passphrase.
  public var forStrangers: PasswordHashing {
    var other = self
    other.queue = Self.strangersQueue
    return other
  }

  /// Hashes a password.
  /// - Throws: ``OutOfMemory``.
  public func hash(_ password: String) async throws(OutOfMemory) -> String {
    let hash = await onOwnQueue { () -> String? in
      var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
      let failed = password.withBytes {
        crypto_pwhash_str(&text, $0, $1, self.operations, self.memory)
      }
      return failed == 0 ? text.text : nil
    }
    guard let hash else { throw OutOfMemory() }
    return hash
  }

  /// Returns whether a hash was made from the password. It takes as long for a wrong password as
  /// for the right one, and as long without a hash, so that the time doesn't reveal whether there
  /// is an account.
  public func matches(_ password: String, _ hash: String?) async -> Bool {
    guard let hash else {
      _ = try? await self.hash(password)
      return false
    }
    return await onOwnQueue {
      password.withBytes { crypto_pwhash_str_verify(hash, $0, $1) } == 0
    }
  }

  /// Returns whether a text from elsewhere is a hash that costs no more to check than one made
  /// here.
  public static func isAffordable(_ hash: String) -> Bool {
    guard
      let match = hash.wholeMatch(
        of: #/\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$[A-Za-z0-9+\/$]{1,90}/#),
      let memory = Int(match.1), let operations = UInt64(match.2)
    else { return false }
    return memory << 10 <= moderate.memory && operations <= moderate.operations
  }

  /// Runs the body on the queue: hashing takes a core for a second, which the threads that all
  /// tasks share can't spare. Hashing that takes microseconds runs at once.
  private func onOwnQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    precondition(Sodium.isReady)
    guard memory > Self.minimal.memory else { return body() }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  init(operations: UInt64, memory: Int) {
    self.operations = operations
    self.memory = memory
  }

  private static let queue = DispatchQueue(label: "lifesignal.password-hashing")
  private static let strangersQueue = DispatchQueue(label: "lifesignal.strangers-hashing")

  /// There wasn't enough memory for the hash.
  public struct OutOfMemory: Error {}
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

extension [CChar] {
  /// The text up to the first zero.
  fileprivate var text: String {
    String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

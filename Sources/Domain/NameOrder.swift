@preconcurrency import Glibc

/// The order in which names are listed (ORD-3): that of the person's language if the C library
/// knows it, else by letters, ignoring case and accents.
///
/// Each name's key is made once, so that sorting a long list only compares bytes.
public struct NameOrder: Sendable {
  private let collation: Collation?

  /// The order by letters, independent of language: *Åsa* is among the *A*, *émile* among the *E*.
  public static let plain = NameOrder(collation: nil)

  /// Creates the order of a language such as `sv_SE`, ignoring its encoding. ``plain`` if the
  /// language is not installed, and for `C` and `POSIX`, which order by character code.
  public init(locale name: String) { self.init(collation: Collation(name)) }

  /// Creates the order that the environment selects (POSIX, *Locale*).
  public init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_COLLATE", "LANG"].compactMap { environment[$0] }
    self.init(locale: names.first { !$0.isEmpty } ?? "C")
  }

  private init(collation: Collation?) { self.collation = collation }

  /// Whether a language's own order is used.
  public var isOfLanguage: Bool { collation != nil }

  /// Returns bytes that compare as the names do in this order.
  public func key(of name: String) -> [UInt8] {
    var key: [UInt8] = []
    appendKey(of: name, to: &key)
    return key
  }

  private func appendKey(of name: String, to bytes: inout [UInt8]) {
    if let collation {
      collation.appendKey(of: name, to: &bytes)
    } else {
      PlainLetters.append(name, to: &bytes)
    }
  }

  /// Returns values sorted by their names.
  /// - Parameter alike: Whether the first of two values with equal names must come first; by
  ///   default they keep their order.
  /// - Complexity: O(n log n) comparisons, most of them of two integers.
  public func sorted<Value>(
    _ values: [Value], by name: (Value) -> String,
    alike: (Value, Value) -> Bool = { _, _ in false }
  ) -> [Value] {
    var bytes: [UInt8] = []
    var places: [Place] = []
    places.reserveCapacity(values.count)
    for index in values.indices {
      let start = bytes.count
      appendKey(of: name(values[index]), to: &bytes)
      places.append(Place(index: index, key: start..<bytes.count, in: bytes))
    }
    bytes.withUnsafeBytes { keys in
      places.sort { left, right in
        if let order = left.compare(right, in: keys) { return order }
        if alike(values[left.index], values[right.index]) { return true }
        return !alike(values[right.index], values[left.index]) && left.index < right.index
      }
    }
    return places.map { values[$0.index] }
  }

  /// A value in the list, with the range of its key in the bytes of all keys.
  private struct Place {
    let index: Int
    private let key: Range<Int>
    /// The first eight bytes of the key as a number, which is enough to order most keys.
    private let head: UInt64

    init(index: Int, key: Range<Int>, in bytes: [UInt8]) {
      self.index = index
      self.key = key
      var head: UInt64 = 0
      for byte in bytes[key].prefix(8) { head = head << 8 | UInt64(byte) }
      self.head = head << (8 * UInt64(8 - min(8, key.count)))
    }

    /// Returns whether this key comes first, or `nil` if the keys are equal.
    func compare(_ other: Place, in keys: UnsafeRawBufferPointer) -> Bool? {
      if head != other.head { return head < other.head }
      // The first bytes are equal. An empty array may have no base address.
      if let start = keys.baseAddress {
        let length = min(key.count, other.key.count)
        let order = memcmp(start + key.lowerBound, start + other.key.lowerBound, length)
        if order != 0 { return order < 0 }
      }
      return key.count == other.key.count ? nil : key.count < other.key.count
    }
  }
}

/// A language's order in the C library.
///
/// A `locale_t` never changes after `newlocale`, and `strxfrm_l` only reads it (MT-Safe). It is
/// freed with its last reference, so any thread can use it.
private final class Collation: @unchecked Sendable {
  private let locale: locale_t

  /// Returns `nil` if the language is not installed.
  init?(_ name: String) {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard let language = parts.first?.split(separator: ".").first,
      !["C", "POSIX"].contains(language), !name.contains("/")
    else { return nil }
    // Names are UTF-8, whatever encoding the terminal uses.
    let modifier = parts.count > 1 ? "@" + parts[1] : ""
    let categories = LC_COLLATE_MASK | LC_CTYPE_MASK
    guard let locale = newlocale(categories, language + ".UTF-8" + modifier, nil) else {
      return nil
    }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  func appendKey(of name: String, to bytes: inout [UInt8]) {
    name.withCString { text in
      // Most keys fit; for a longer one the call returns the length that it needs.
      let length = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
        let length = strxfrm_l(room.baseAddress!, text, room.count, locale)
        if length < room.count {
          bytes.append(contentsOf: UnsafeRawBufferPointer(room).prefix(length))
        }
        return length
      }
      guard length >= 256 else { return }
      bytes += [UInt8](unsafeUninitializedCapacity: length + 1) { long, count in
        long.withMemoryRebound(to: CChar.self) { room in
          count = strxfrm_l(room.baseAddress!, text, length + 1, locale)
        }
      }
    }
  }
}

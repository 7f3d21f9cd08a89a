@preconcurrency import Glibc

/// The order in which names are listed (ORD-3): that of the person's language where the C library
/// knows it, else by letters without their case and marks.
///
/// A key is made once for each name, so that a long list is sorted by comparing bytes.
public struct NameOrder: Sendable {
  private let collation: Collation?

  /// By letters, whatever the language: *Åsa* is among the *A*, *émile* among the *E*.
  public static let plain = NameOrder(collation: nil)

  /// The order of a language, as `sv_SE`, whatever its encoding; ``plain`` where it is not installed,
  /// and for `C` and `POSIX`, whose order is that of numbers of characters.
  public init(locale name: String) { self.init(collation: Collation(name)) }

  /// The order that the environment asks for, as every program does (POSIX, *Locale*).
  public init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_COLLATE", "LANG"].compactMap { environment[$0] }
    self.init(locale: names.first { !$0.isEmpty } ?? "C")
  }

  private init(collation: Collation?) { self.collation = collation }

  /// Whether a language's own order is in force.
  public var isOfLanguage: Bool { collation != nil }

  /// Bytes that compare as names do in this order.
  public func key(of name: String) -> [UInt8] {
    collation?.key(of: name) ?? Array(name.withoutCaseAndMarks.utf8)
  }

  /// Values by their names; those with names alike stay as they were.
  /// - Complexity: O(n log n) comparisons of bytes.
  public func sorted<Value>(_ values: [Value], by name: (Value) -> String) -> [Value] {
    let keys = values.map { key(of: name($0)) }
    return values.indices.sorted { left, right in
      if keys[left] == keys[right] { return left < right }
      return keys[left].lexicographicallyPrecedes(keys[right])
    }.map { values[$0] }
  }
}

/// A language's order in the C library.
///
/// A `locale_t` is never changed after `newlocale`, and `strxfrm_l` only reads it (MT-Safe); it is
/// freed when nobody can use it any more. So it may be used by any thread.
private final class Collation: @unchecked Sendable {
  private let locale: locale_t

  /// `nil` where the language is not installed.
  init?(_ name: String) {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard let language = parts.first?.split(separator: ".").first,
      !["C", "POSIX"].contains(language), !name.contains("/")
    else { return nil }
    // Names are UTF-8, whatever the terminal is said to write.
    let modifier = parts.count > 1 ? "@" + parts[1] : ""
    let categories = LC_COLLATE_MASK | LC_CTYPE_MASK
    guard let locale = newlocale(categories, language + ".UTF-8" + modifier, nil) else {
      return nil
    }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  func key(of name: String) -> [UInt8] {
    name.withCString { text in
      let length = strxfrm_l(nil, text, 0, locale)
      return [UInt8](unsafeUninitializedCapacity: length + 1) { bytes, count in
        bytes.withMemoryRebound(to: CChar.self) { buffer in
          count = strxfrm_l(buffer.baseAddress!, text, length + 1, locale)
        }
      }
    }
  }
}

extension String {
  /// The letters in lower case and without accents, as far as Unicode takes them apart.
  fileprivate var withoutCaseAndMarks: String {
    var text = ""
    for character in lowercased() {
      guard let first = character.unicodeScalars.first else { continue }
      let letter = Character(first)
      text.append(first.isASCII ? letter : Self.letters[letter] ?? letter)
    }
    return text
  }

  /// Letters by what they are with their marks. Characters are equal when Unicode says that they are
  /// canonically equivalent, so that *é* finds *e* and an accent.
  private static let letters: [Character: Character] = {
    // Latin, Greek, Cyrillic.
    let alphabets: [ClosedRange<UInt32>] = [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x44F]
    let marks = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x31B,
      0x323, 0x326, 0x327, 0x328, 0x32D, 0x330, 0x331,
    ].compactMap(Unicode.Scalar.init)
    var letters: [Character: Character] = [:]
    for value in alphabets.joined() {
      guard let letter = Unicode.Scalar(value) else { continue }
      for mark in marks {
        letters[Character(String(letter) + String(mark))] = Character(letter)
        // Two marks stand on vowels only.
        guard "aeiouyαεηιουω".unicodeScalars.contains(letter) else { continue }
        for second in marks {
          letters[Character(String(letter) + String(mark) + String(second))] = Character(letter)
        }
      }
    }
    return letters
  }()
}

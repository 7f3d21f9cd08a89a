import Domain
import Foundation
import Testing

/// ORD-3: names in the order of the person's language.
struct NameOrderTests {
  private func sorted(_ names: [String], _ order: NameOrder) -> [String] {
    order.sorted(names, by: \.self)
  }

  @Test("ORD-3: without a language, names are sorted by letter, ignoring case and accents")
  func plain() {
    let names = ["Zoë", "émile", "Ångström", "adam", "Øyvind", "Bo", "e\u{301}ric", "Ấn", "小林"]
    #expect(
      sorted(names, .plain)
        == ["adam", "Ấn", "Ångström", "Bo", "émile", "e\u{301}ric", "Zoë", "Øyvind", "小林"])
  }

  @Test("ORD-3: an accented letter is sorted as the base letter of its Unicode decomposition")
  func marks() {
    // Latin, Greek, Cyrillic.
    for value in [0x80...0x24F, 0x370...0x3CE, 0x400...0x52F, 0x1E00...0x1FFF].joined() {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      let small = String(scalar).lowercased()
      let apart = small.decomposedStringWithCanonicalMapping.unicodeScalars.first!
      let key = NameOrder.plain.key(of: String(scalar))
      #expect(
        String(decoding: key, as: UTF8.self) == String(apart), "U+\(String(value, radix: 16))")
      // The key is the same in a name with letters that don't take the fast path.
      #expect(NameOrder.plain.key(of: "\(scalar)か") == key + "か".utf8)
    }
  }

  @Test("ORD-3: names with the same beginning are sorted by the rest, the shorter first")
  func long() {
    let names = ["", "ada", "ada lovelace", "ada lovelace 1", "ada lovelace 10", "ada lovelacy"]
    #expect(sorted(names.reversed(), .plain) == names)
    #expect(sorted(["b\0", "b", "a"], .plain) == ["a", "b", "b\0"])
  }

  @Test("ORD-3: contacts with equal names are sorted by exact spelling, then by identity")
  func contacts() {
    let ids = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
    let contacts = zip(ids, ["bo", "Bo", "Bö", "Bo"]).map {
      Contact(id: $0, name: $1, roles: .responder, addedAt: .distantPast)
    }
    #expect(contacts.byName.map(\.id) == [ids[1], ids[3], ids[2], ids[0]])
    #expect(Array(contacts.reversed()).byName == contacts.byName)
  }

  @Test("ORD-3: sorting keeps the order of names that are equal")
  func stable() {
    let names = ["bo", "BO", "Bo", "b\u{F6}", "bo\u{308}"]
    #expect(sorted(names, .plain) == names)
  }

  @Test(
    "ORD-3: in Swedish Å comes after Z",
    .enabled(if: NameOrder(locale: "sv_SE").isOfLanguage, "sv_SE.UTF-8 is not installed"),
    arguments: ["sv_SE", "sv_SE.UTF-8", "sv_SE.ISO-8859-1"])
  func swedish(locale: String) {
    #expect(
      sorted(["Åsa", "Zoë", "Adam", "Örjan", "émile"], NameOrder(locale: locale))
        == ["Adam", "émile", "Zoë", "Åsa", "Örjan"])
  }

  @Test(
    "ORD-3: in German Ä is sorted with A",
    .enabled(if: NameOrder(locale: "de_DE").isOfLanguage, "de_DE.UTF-8 is not installed"))
  func german() {
    #expect(
      sorted(["Zoë", "Ändri", "Adam", "Anton", "zacharias"], NameOrder(locale: "de_DE.UTF-8"))
        == ["Adam", "Ändri", "Anton", "zacharias", "Zoë"])
  }

  @Test(
    "ORD-3: a locale that isn't installed or has no language falls back to sorting by letter",
    arguments: ["C", "C.UTF-8", "POSIX", "", "xx_XX.UTF-8", "../../etc/passwd", "@", "."])
  func fallback(locale: String) {
    let order = NameOrder(locale: locale)
    #expect(!order.isOfLanguage)
    #expect(sorted(["b", "Å"], order) == ["Å", "b"])
  }

  @Test("ORD-3: LC_ALL or LC_COLLATE decides the language of sorting before LANG")
  func environment() {
    #expect(!NameOrder(environment: [:]).isOfLanguage)
    #expect(!NameOrder(environment: ["LC_ALL": "C", "LANG": "sv_SE.UTF-8"]).isOfLanguage)
    let isSwedish = NameOrder(locale: "sv_SE").isOfLanguage
    #expect(NameOrder(environment: ["LC_ALL": "", "LANG": "sv_SE"]).isOfLanguage == isSwedish)
    #expect(
      NameOrder(environment: ["LC_COLLATE": "sv_SE", "LANG": "C"]).isOfLanguage == isSwedish)
  }

  @Test("ORD-4: sorting 10,000 names reads each name once")
  func many() {
    var looks = 0
    let numbers = Array(0..<10_000)
    let sorted = NameOrder.plain.sorted(numbers) { number in
      looks += 1
      let digits = String(number * 7_919 % 10_000)
      return "Åke " + String(repeating: "0", count: 4 - digits.count) + digits
    }
    #expect(looks == 10_000)
    #expect(sorted.map { $0 * 7_919 % 10_000 } == numbers)
  }
}

import Glibc
import Testing

@testable import Terminal

/// A file of the Unicode Character Database, as installed by Debian's package `unicode-data`.
private struct UnicodeFile {
  let path: String

  static let graphemeBreaks = UnicodeFile(
    path: "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt")
  static let emoji = UnicodeFile(path: "/usr/share/unicode/emoji/emoji-test.txt")
  static let widths = UnicodeFile(path: "/usr/share/unicode/EastAsianWidth.txt")

  var isInstalled: Bool { access(path, R_OK) == 0 }

  /// Returns the lines without comments, omitting empty ones.
  func lines() throws -> [Substring] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let content = line.prefix { $0 != "#" }
      return content.allSatisfy(\.isWhitespace) ? nil : content
    }
  }
}

/// Parses scalars in hexadecimal, separated by spaces.
private func text(_ scalars: Substring) throws -> String {
  var view = String.UnicodeScalarView()
  for digits in scalars.split(whereSeparator: \.isWhitespace) {
    view.append(try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)))
  }
  return String(view)
}

/// Checks clusters and widths against Unicode's data files.
@Suite("Conformance with Unicode's data files")
struct UnicodeFileTests {
  @Test(
    .enabled(if: UnicodeFile.graphemeBreaks.isInstalled, "the package unicode-data is missing"))
  func textBreaksIntoTheClustersOfTheBreakTest() throws {
    var count = 0
    // U+2701 is pictographic only up to Unicode 15: see emoji-data.txt.
    for line in try UnicodeFile.graphemeBreaks.lines() where !line.contains("2701 × 200D × 2701") {
      let clusters = try line.split(separator: "÷")
        .map { try text(Substring($0.filter { $0 != "×" })) }.filter { !$0.isEmpty }
      let joined = clusters.joined()
      #expect(
        joined.map { Array(String($0).unicodeScalars) } == clusters.map { Array($0.unicodeScalars) }
      )
      let expected = clusters.flatMap { Array($0.graphemes) }
      #expect(Array(joined.graphemes) == expected, "\(line)")
      count += 1
    }
    #expect(count > 500)
  }

  @Test(.enabled(if: UnicodeFile.emoji.isInstalled, "the package unicode-data is missing"))
  func everyEmojiIsOneGraphemeOfTwoColumns() throws {
    var count = 0
    for line in try UnicodeFile.emoji.lines() {
      let fields = line.split(separator: ";")
      let sequence = try text(fields[0])
      let graphemes = Array(sequence.graphemes)
      let isQualified = !fields[1].contains("unqualified")
      #expect(graphemes.count == 1, "\(line)")
      // Without a variation selector, scalars with a default text presentation are shown as text.
      if isQualified { #expect(graphemes.first?.columns == 2, "\(line)") }
      // Nothing is lost except tags, which are invisible.
      let kept = sequence.unicodeScalars.filter { !(0xE0000...0xE007F).contains($0.value) }
      #expect(graphemes.first.map { Array($0.text.unicodeScalars) } == Array(kept), "\(line)")
      count += 1
    }
    #expect(count > 4000)
  }

  @Test(.enabled(if: UnicodeFile.widths.isInstalled, "the package unicode-data is missing"))
  func widthsAreThoseOfEastAsianWidth() throws {
    var wide = 0
    for line in try UnicodeFile.widths.lines() {
      let fields = line.split(separator: ";")
      let bounds = fields[0].split(separator: ".").compactMap { UInt32($0, radix: 16) }
      let isWide = ["W", "F"].contains(fields[1].filter(\.isLetter))
      for value in try #require(bounds.first)...(try #require(bounds.last)) {
        // Skip scalars that were unassigned in the file's version.
        guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 15,
          let grapheme = Grapheme(scalar), grapheme.scalar == scalar
        else { continue }
        if isWide { wide += 1 }
        let expected = isWide ? 2 : 1
        if grapheme.columns != expected && !Self.widerSince15.contains(value) {
          Issue.record("U+\(String(value, radix: 16)) has \(grapheme.columns) columns")
        }
      }
    }
    #expect(wide > 180_000 / 2)
  }

  /// Trigrams, hexagrams and counting rods, which are wide since Unicode 16.
  private static let widerSince15: Set<UInt32> = Set(0x2630...0x2637).union(0x268A...0x268F)
    .union(0x4DC0...0x4DFF).union(0x1D300...0x1D356).union(0x1D360...0x1D376)
}

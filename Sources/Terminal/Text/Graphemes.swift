/// The graphemes of a text, in order.
///
/// Scalars of scripts that never combine – ASCII, Latin, Greek, Cyrillic, kana, Han, Hangul
/// syllables, box drawing – take a few nanoseconds each. For all others, the standard library finds
/// the cluster boundaries.
public struct Graphemes: Sequence, Sendable {
  let text: String

  /// Creates the sequence for a text of any length and from any source.
  public init(_ text: String) {
    self.text = text
  }

  /// Returns an iterator over the graphemes.
  public func makeIterator() -> Iterator {
    Iterator(text: text)
  }

  /// An iterator that walks the text once.
  public struct Iterator: IteratorProtocol {
    private let text: String
    /// The offset of the next byte.
    private var offset = 0
    private let count: Int
    /// Eight bytes from `wordStart` on, the first in the low bits; much faster than a string's own
    /// subscript.
    private var word: UInt64 = 0
    private var wordStart = -8
    /// The remaining scalars of a character that consists of several graphemes.
    private var rest = Substring.UnicodeScalarView()

    init(text: String) {
      var text = text
      text.makeContiguousUTF8()
      self.text = text
      count = text.utf8.count
    }

    /// Returns the next grapheme, or `nil` at the end. Characters that must not be shown are
    /// skipped.
    public mutating func next() -> Grapheme? {
      if !rest.isEmpty, let grapheme = takeFromRest(isContinued: true) { return grapheme }
      while offset < count {
        let first = byte(at: offset)
        if first >= 0x20, first < 0x7F, offset + 1 >= count || byte(at: offset + 1) < 0x80 {
          offset += 1
          return Grapheme(Unicode.Scalar(first), columns: 1)
        }
        if let (scalar, length) = isolatedScalar(at: offset) {
          let following = offset + length
          if following >= count || isolatedScalar(at: following) != nil {
            // Neither scalar can combine with the other.
            offset = following
            return Grapheme(isolated: scalar)
          }
        }
        let index = text.utf8.index(text.startIndex, offsetBy: offset)
        rest = text.unicodeScalars[index..<text.index(after: index)]
        offset += text.utf8.distance(from: index, to: rest.endIndex)
        if let grapheme = takeFromRest(isContinued: false) { return grapheme }
      }
      return nil
    }

    /// Returns the next grapheme of the current character, or `nil` if nothing more of it is shown.
    private mutating func takeFromRest(isContinued: Bool) -> Grapheme? {
      if let only = rest.first, rest.index(after: rest.startIndex) == rest.endIndex, !isContinued {
        rest = Substring.UnicodeScalarView()
        return Grapheme(only)
      }
      return Grapheme(takenOff: &rest, isContinued: isContinued)
    }

    /// Returns the scalar at an offset and its length in bytes, if it is one that never combines
    /// with others of its kind.
    private mutating func isolatedScalar(at offset: Int) -> (Unicode.Scalar, length: Int)? {
      let first = byte(at: offset)
      if first < 0x80 {
        return first >= 0x20 && first < 0x7F ? (Unicode.Scalar(first), 1) : nil
      }
      // The text is valid UTF-8, so the lead byte determines the length.
      var value: UInt32
      let length: Int
      switch first {
      case 0xC2..<0xE0:
        value = UInt32(first & 0x1F) << 6 | UInt32(byte(at: offset + 1) & 0x3F)
        length = 2
      case 0xE0..<0xF0:
        value = UInt32(first & 0x0F) << 12 | UInt32(byte(at: offset + 1) & 0x3F) << 6
        value |= UInt32(byte(at: offset + 2) & 0x3F)
        length = 3
      default:
        return nil
      }
      guard value.neverCombines, let scalar = Unicode.Scalar(value) else { return nil }
      return (scalar, length)
    }

    private mutating func byte(at offset: Int) -> UInt8 {
      var place = offset &- wordStart
      if place < 0 || place >= 8 {
        load(from: offset)
        place = 0
      }
      return UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: place &* 8))
    }

    private mutating func load(from offset: Int) {
      wordStart = offset
      word =
        text.utf8.withContiguousStorageIfAvailable { bytes in
          if offset + 8 <= bytes.count {
            return UInt64(
              littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: offset, as: UInt64.self))
          }
          return bytes[offset...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        } ?? 0
    }
  }
}

extension UInt32 {
  /// Whether this scalar never combines with others for which this also holds, and is shown
  /// unchanged: it is neither a mark nor a scalar that joins the following one
  /// (Grapheme_Cluster_Break is Other, LV or LVT).
  fileprivate var neverCombines: Bool {
    switch self {
    case 0xA0...0xAC, 0xAE...0x2FF: true
    case 0x370...0x482, 0x48A...0x58F: true
    case 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20CF, 0x2100...0x2BFF: true
    case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
    case 0xAC00...0xD7A3, 0xFF01...0xFF9D: true
    default: false
    }
  }
}

extension String {
  /// The graphemes of the text.
  public var graphemes: Graphemes { Graphemes(self) }

  /// The width of the text on one line, in columns. O(n).
  public var columns: Int {
    if isPrintableASCII { return utf8.count }
    var sum = 0
    for grapheme in graphemes { sum += grapheme.columns }
    return sum
  }

  /// Whether every byte is a character shown in one column.
  var isPrintableASCII: Bool {
    utf8.withContiguousStorageIfAvailable(\.isPrintableASCII) ?? false
  }

  /// The text made safe for a single line on a terminal: titles, notifications, log lines. See
  /// ``Grapheme`` for what is replaced and removed. O(n).
  public var sanitized: String {
    // Most texts are plain ASCII and stay unchanged.
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    var result = ""
    result.reserveCapacity(utf8.count)
    for grapheme in graphemes { result.append(grapheme) }
    return result
  }

  /// Appends the text of a grapheme.
  mutating func append(_ grapheme: Grapheme) {
    if let cluster = grapheme.cluster {
      self += cluster
    } else {
      unicodeScalars.append(grapheme.scalar)
    }
  }
}

extension Character {
  /// The width of the character in columns: 0 if it isn't shown, 2 if it is wide, more for some
  /// clusters.
  public var columns: Int { String(self).columns }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether every byte is a character shown in one column.
  var isPrintableASCII: Bool {
    var rest = self[...]
    // A word of eight bytes at a time: a byte below 0x20 borrows from its highest bit, and 0x7F carries
    // into it.
    while rest.count >= 8 {
      let word = UnsafeRawPointer(baseAddress! + rest.startIndex).loadUnaligned(as: UInt64.self)
      let isBelow = word &- 0x2020_2020_2020_2020
      let isAbove = word &+ 0x0101_0101_0101_0101
      if (word | isBelow | isAbove) & 0x8080_8080_8080_8080 != 0 { return false }
      rest = rest.dropFirst(8)
    }
    return rest.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
}

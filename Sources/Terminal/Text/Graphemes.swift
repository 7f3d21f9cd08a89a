/// The graphemes that text shows, in order.
///
/// Scalars of scripts that never combine – ASCII, Latin, Greek, Cyrillic, kana, Han, Hangul
/// syllables, box drawing – cost a few nanoseconds each; for all others the cluster boundaries are
/// found by the standard library.
public struct Graphemes: Sequence, Sendable {
  let text: String

  /// The graphemes of `text`, of any length and from any source.
  public init(_ text: String) {
    self.text = text
  }

  /// Starts at the beginning.
  public func makeIterator() -> Iterator {
    Iterator(text: text)
  }

  /// Walks the text once.
  public struct Iterator: IteratorProtocol {
    private let text: String
    /// The next byte, counted from the start.
    private var offset = 0
    private let count: Int
    /// Eight bytes from `wordStart` on, the first in the low bits: a string's own subscript is much
    /// slower.
    private var word: UInt64 = 0
    private var wordStart = -8
    /// What has not been taken yet of a character that is several graphemes.
    private var rest = Substring.UnicodeScalarView()

    init(text: String) {
      var text = text
      text.makeContiguousUTF8()
      self.text = text
      count = text.utf8.count
    }

    /// The next grapheme; `nil` at the end. Characters of which nothing is shown are left out.
    public mutating func next() -> Grapheme? {
      if !rest.isEmpty, let grapheme = takeFromRest(isContinued: true) { return grapheme }
      while offset < count {
        let first = byte(at: offset)
        if first >= 0x20, first < 0x7F, offset + 1 >= count || byte(at: offset + 1) < 0x80 {
          offset += 1
          return Grapheme(Unicode.Scalar(first), columns: 1)
        }
        if let (scalar, length) = lonelyScalar(at: offset) {
          let following = offset + length
          if following >= count || lonelyScalar(at: following) != nil {
            // Neither can join the other.
            offset = following
            return Grapheme(lonely: scalar)
          }
        }
        let index = text.utf8.index(text.startIndex, offsetBy: offset)
        rest = text.unicodeScalars[index..<text.index(after: index)]
        offset += text.utf8.distance(from: index, to: rest.endIndex)
        if let grapheme = takeFromRest(isContinued: false) { return grapheme }
      }
      return nil
    }

    /// The next grapheme of a character; `nil` when nothing more of it is shown.
    private mutating func takeFromRest(isContinued: Bool) -> Grapheme? {
      if let only = rest.first, rest.index(after: rest.startIndex) == rest.endIndex, !isContinued {
        rest = Substring.UnicodeScalarView()
        return Grapheme(only)
      }
      return Grapheme(takenOff: &rest, isContinued: isContinued)
    }

    /// The scalar at an offset and its bytes, if it is one that joins no other of its kind.
    private mutating func lonelyScalar(at offset: Int) -> (Unicode.Scalar, length: Int)? {
      let first = byte(at: offset)
      if first < 0x80 {
        return first >= 0x20 && first < 0x7F ? (Unicode.Scalar(first), 1) : nil
      }
      // The text is valid UTF-8, so that the lead byte tells the length.
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
      guard value.isLonelyScalar, let scalar = Unicode.Scalar(value) else { return nil }
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
  /// Whether this is a scalar that never joins another for which this holds too: neither a mark nor
  /// one of those that join what follows (Grapheme_Cluster_Break is Other, LV or LVT), and shown as
  /// it is.
  fileprivate var isLonelyScalar: Bool {
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
  /// The graphemes that the text shows.
  public var graphemes: Graphemes { Graphemes(self) }

  /// The columns that the text covers when it is shown on one line. O(n).
  public var columns: Int {
    if isPrintableASCII { return utf8.count }
    var sum = 0
    for grapheme in graphemes { sum += grapheme.columns }
    return sum
  }

  /// Whether every byte is a character that is shown in one column.
  var isPrintableASCII: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    } ?? false
  }

  /// The text as it may be written to a terminal on one line: titles, notifications, log lines.
  /// See ``Grapheme`` for what is replaced and removed. O(n).
  public var sanitized: String {
    // Most texts are plain, and stay as they are.
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    var result = ""
    result.reserveCapacity(utf8.count)
    for grapheme in graphemes { result.append(grapheme) }
    return result
  }

  /// Adds what a grapheme shows.
  mutating func append(_ grapheme: Grapheme) {
    if let cluster = grapheme.cluster {
      self += cluster
    } else {
      unicodeScalars.append(grapheme.scalar)
    }
  }
}

extension Character {
  /// The columns that the character covers: 0 for those that are not shown, 2 for wide ones, more for
  /// some clusters.
  public var columns: Int { String(self).columns }
}

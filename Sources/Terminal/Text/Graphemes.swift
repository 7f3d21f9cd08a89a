/// The graphemes that text shows, in order.
///
/// Printable ASCII costs a few nanoseconds a character; other text pays for finding the cluster
/// boundaries.
public struct Graphemes: Sequence, Sendable {
  let text: String

  /// The graphemes of `text`, of any length and from any source.
  public init(_ text: String) {
    self.text = text
  }

  public func makeIterator() -> Iterator {
    Iterator(text: text)
  }

  /// Walks the text once.
  public struct Iterator: IteratorProtocol {
    let text: String
    var index: String.Index

    init(text: String) {
      var text = text
      text.makeContiguousUTF8()
      self.text = text
      index = text.startIndex
    }

    public mutating func next() -> Grapheme? {
      let bytes = text.utf8
      while index != bytes.endIndex {
        let byte = bytes[index]
        let after = bytes.index(after: index)
        if byte >= 0x20, byte < 0x7F, after == bytes.endIndex || bytes[after] < 0x80 {
          // Nothing that follows can join it.
          index = after
          return Grapheme(Unicode.Scalar(byte), columns: 1)
        }
        let character = text[index]
        index = text.index(after: index)
        if let grapheme = Grapheme(character) { return grapheme }
      }
      return nil
    }
  }
}

extension String {
  /// The graphemes that the text shows.
  public var graphemes: Graphemes { Graphemes(self) }

  /// The columns that the text covers when it is shown on one line. O(n).
  public var columns: Int {
    // One pass over bytes decides whether every byte is a column.
    if let count = utf8.withContiguousStorageIfAvailable({ bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? bytes.count : -1
    }), count >= 0 {
      return count
    }
    var sum = 0
    for grapheme in graphemes { sum += grapheme.columns }
    return sum
  }

  /// The text as it may be written to a terminal on one line: titles, notifications, log lines.
  /// See ``Grapheme`` for what is replaced and removed. O(n).
  public var sanitized: String {
    var result = ""
    result.reserveCapacity(utf8.count)
    for grapheme in graphemes {
      if let cluster = grapheme.cluster {
        result += cluster
      } else {
        result.unicodeScalars.append(grapheme.scalar)
      }
    }
    return result
  }
}

extension Character {
  /// The columns that the character covers: 2 for wide ones, 0 for those that are not shown.
  public var columns: Int { Grapheme(self)?.columns ?? 0 }
}

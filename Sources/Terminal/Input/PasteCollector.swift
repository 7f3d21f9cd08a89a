/// Collects a bracketed paste, whose bytes must never act as keys.
///
/// A well-behaved terminal removes the end marker from what is pasted. For those that do not, what
/// follows an end marker is held back until the terminal is quiet: when another end marker comes
/// first, the first was part of the paste, and what is between them is pasted text too.
struct PasteCollector {
  /// What a byte leads to.
  enum Step: Equatable {
    case incomplete
    /// A piece of pasted text is complete.
    case paste(String)
  }

  /// The most bytes of one paste; what is beyond is dropped. More than any field takes.
  static let limit = 1 << 20
  /// The most bytes held back after an end marker.
  static let tailLimit = 1 << 16

  private static let endMarker = Array("\u{1B}[201~".utf8)
  private static let startMarker = Array("\u{1B}[200~".utf8)

  private var bytes: [UInt8] = []
  /// The last bytes, enough to recognise a marker.
  private var window: [UInt8] = []
  private var isOverflowing = false
  /// Whether an end marker has come and what follows is held back.
  private(set) var isInTail = false

  /// Begins a paste, after its start marker.
  mutating func begin() {
    clear()
    isInTail = false
  }

  /// Takes one byte after the start marker.
  mutating func append(_ byte: UInt8) -> Step {
    if bytes.count < (isInTail ? Self.tailLimit : Self.limit) {
      bytes.append(byte)
    } else {
      isOverflowing = true
    }
    if byte == 0x1B { window.removeAll(keepingCapacity: true) }
    if window.count < Self.endMarker.count { window.append(byte) }
    guard byte == 0x7E else { return .incomplete }
    if window == Self.endMarker {
      let text = finish()
      isInTail = true
      return text.isEmpty ? .incomplete : .paste(text)
    }
    if isInTail, window == Self.startMarker {
      let text = finish()
      isInTail = false
      return text.isEmpty ? .incomplete : .paste(text)
    }
    return .incomplete
  }

  /// Whether the last bytes may be the beginning of a marker, so that the next one must be looked at.
  var isInMarker: Bool { window.count < Self.endMarker.count && !window.isEmpty }

  /// Takes bytes that are certainly text: none is ESC, and no marker is begun.
  mutating func append(text: some Collection<UInt8>) {
    let room = (isInTail ? Self.tailLimit : Self.limit) - bytes.count
    bytes.append(contentsOf: text.prefix(room))
    if text.count > room { isOverflowing = true }
  }

  /// Ends the tail when the terminal is quiet: what was held back are keys after all. Too much to
  /// have been typed is dropped.
  mutating func takeTail() -> [UInt8] {
    let tail = isOverflowing ? [] : bytes
    clear()
    isInTail = false
    return tail
  }

  /// The text before the marker that has just come.
  private mutating func finish() -> String {
    if !isOverflowing { bytes.removeLast(Self.endMarker.count) }
    defer { clear() }
    return String(decoding: bytes, as: UTF8.self).strippingControls(keepingLines: true)
  }

  private mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
    window.removeAll(keepingCapacity: true)
    isOverflowing = false
  }
}

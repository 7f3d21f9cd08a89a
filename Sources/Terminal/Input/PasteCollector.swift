/// Collects a bracketed paste, whose bytes must never act as keys.
///
/// A well-behaved terminal removes end markers from pasted text. For the others, input after an end
/// marker is held back until a pause: if another end marker arrives first, the earlier one was part
/// of the paste, as is the text between them.
struct PasteCollector {
  /// The result of appending a byte.
  enum Step: Equatable {
    case incomplete
    /// A piece of pasted text is complete.
    case paste(String)
  }

  /// The maximum size of a paste in bytes, more than any field accepts. The rest is dropped.
  static let limit = 1 << 20
  /// The maximum number of bytes held back after an end marker.
  static let tailLimit = 1 << 16

  private static let endMarker = Array("\u{1B}[201~".utf8)
  private static let startMarker = Array("\u{1B}[200~".utf8)

  private var bytes: [UInt8] = []
  /// The most recent bytes, enough to recognise a marker.
  private var window: [UInt8] = []
  private var isOverflowing = false
  /// Whether an end marker has arrived and further input is held back.
  private(set) var isInTail = false

  /// Starts a paste, after its start marker.
  mutating func begin() {
    clear()
    isInTail = false
  }

  /// Appends a byte that follows the start marker.
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

  /// Whether the last bytes may be the start of a marker, so that the next byte must be examined.
  var isInMarker: Bool { window.count < Self.endMarker.count && !window.isEmpty }

  /// Appends bytes known to be text: none is ESC, and no marker has started.
  mutating func append(text: some Collection<UInt8>) {
    let room = (isInTail ? Self.tailLimit : Self.limit) - bytes.count
    bytes.append(contentsOf: text.prefix(room))
    if text.count > room { isOverflowing = true }
  }

  /// Ends the tail after a pause and returns the bytes held back, which are keys after all. A tail
  /// too long to have been typed is dropped.
  mutating func takeTail() -> [UInt8] {
    let tail = isOverflowing ? [] : bytes
    clear()
    isInTail = false
    return tail
  }

  /// Ends a paste without its marker and returns its text.
  mutating func abandon(droppingLast count: Int) -> String {
    if !isOverflowing { bytes.removeLast(min(count, bytes.count)) }
    defer { clear() }
    return String(decoding: bytes, as: UTF8.self).strippingControls(keepingLines: true)
  }

  /// Returns the text before the marker that has just arrived.
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

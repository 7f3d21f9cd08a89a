/// The output of one frame. The storage is reused, so steady frames allocate nothing.
struct EscapeBuffer {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Drops the bytes from index `count` on.
  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
  }

  /// Removes a range of bytes.
  mutating func remove(_ range: Range<Int>) {
    bytes.removeSubrange(range)
  }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { bytes.append(text.utf8Start[index]) }
  }

  mutating func append(text: String) {
    for byte in text.utf8 { bytes.append(byte) }
  }

  mutating func append(bytes more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  /// Appends a non-negative number in decimal.
  mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    bytes.append(UInt8(0x30 + number % 10))
  }

  /// Appends a control sequence with one parameter, omitted if it is 1, the default of all the
  /// sequences used here.
  mutating func appendControl(_ number: Int, _ final: Unicode.Scalar) {
    append("\u{1B}[")
    if number != 1 { append(number: number) }
    bytes.append(UInt8(ascii: final))
  }

  /// Returns the number of bytes that `appendControl` appends.
  static func controlCost(_ number: Int) -> Int {
    number == 1 ? 3 : 3 + digits(number)
  }

  /// Returns the number of digits of a non-negative number below 100,000.
  static func digits(_ number: Int) -> Int {
    number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5
  }

  /// Appends a scalar as UTF-8.
  mutating func append(scalar: UInt32) {
    if scalar < 0x80 {
      append(byte: scalar)
    } else if scalar < 0x800 {
      append(byte: 0xC0 | scalar >> 6)
      append(sixBitsOf: scalar)
    } else if scalar < 0x10000 {
      append(byte: 0xE0 | scalar >> 12)
      append(sixBitsOf: scalar >> 6)
      append(sixBitsOf: scalar)
    } else {
      append(byte: 0xF0 | scalar >> 18)
      append(sixBitsOf: scalar >> 12)
      append(sixBitsOf: scalar >> 6)
      append(sixBitsOf: scalar)
    }
  }

  private mutating func append(byte: UInt32) { bytes.append(UInt8(byte)) }

  /// Appends a continuation byte with the lowest six bits.
  private mutating func append(sixBitsOf value: UInt32) { append(byte: 0x80 | value & 0x3F) }
}

extension EscapeBuffer {
  /// Appends the change from one style to another, in the shorter of two forms: switching only what
  /// differs, or resetting and setting everything.
  ///
  /// - Parameter old: The current style, or `nil` if unknown.
  mutating func appendStyle(_ new: Style, after old: Style?) {
    guard old != new else { return }
    if new == .plain {
      append("\u{1B}[m")
      return
    }
    guard let old else {
      appendReset(then: new)
      return
    }
    let start = count
    appendDelta(from: old, to: new)
    // A reset can be shorter only if something must be switched off.
    guard
      !old.attributes.isSubset(of: new.attributes)
        || (new.foreground == .standard && old.foreground != .standard)
        || (new.background == .standard && old.background != .standard)
        || (new.underlineColor == .standard && old.underlineColor != .standard)
    else { return }
    let middle = count
    appendReset(then: new)
    if count - middle < middle - start {
      remove(start..<middle)
    } else {
      truncate(to: middle)
    }
  }

  private mutating func appendReset(then new: Style) {
    append("\u{1B}[0")
    appendAttributes(new.attributes, underline: new.underlineStyle)
    if new.foreground != .standard { appendColor(new.foreground, base: 30) }
    if new.background != .standard { appendColor(new.background, base: 40) }
    if new.underlineColor != .standard { appendUnderlineColor(new.underlineColor) }
    append(UInt8(ascii: "m"))
  }

  /// Bold and dim, which SGR 22 switches off together.
  private static let intensity: TextAttributes = [.bold, .dim]

  private mutating func appendDelta(from old: Style, to new: Style) {
    append("\u{1B}[")
    let start = count
    var added = new.attributes.subtracting(old.attributes)
    var removed = old.attributes.subtracting(new.attributes)
    if !removed.isDisjoint(with: Self.intensity) {
      // If only one of them ends, set the other one again.
      append(";22")
      added.formUnion(new.attributes.intersection(Self.intensity))
      removed.subtract(Self.intensity)
    }
    if removed.contains(.italic) { append(";23") }
    if removed.contains(.underline) { append(";24") }
    if removed.contains(.blink) { append(";25") }
    if removed.contains(.reverse) { append(";27") }
    if removed.contains(.strike) { append(";29") }
    if old.underlineStyle != new.underlineStyle, new.attributes.contains(.underline) {
      added.insert(.underline)
    }
    appendAttributes(added, underline: new.underlineStyle)
    if old.foreground != new.foreground { appendColor(new.foreground, base: 30) }
    if old.background != new.background { appendColor(new.background, base: 40) }
    if old.underlineColor != new.underlineColor { appendUnderlineColor(new.underlineColor) }
    remove(start..<start + 1)
    append(UInt8(ascii: "m"))
  }

  private mutating func appendAttributes(_ attributes: TextAttributes, underline: UnderlineStyle) {
    if attributes.isEmpty { return }
    if attributes.contains(.bold) { append(";1") }
    if attributes.contains(.dim) { append(";2") }
    if attributes.contains(.italic) { append(";3") }
    if attributes.contains(.underline) {
      append(";4")
      if underline != .single {
        append(UInt8(ascii: ":"))
        append(number: Int(underline.rawValue))
      }
    }
    if attributes.contains(.blink) { append(";5") }
    if attributes.contains(.reverse) { append(";7") }
    if attributes.contains(.strike) { append(";9") }
  }

  /// Uses colons as in ISO 8613-6, so that a terminal that doesn't know the code skips all of it.
  private mutating func appendUnderlineColor(_ color: Color) {
    switch color.kind {
    case .standard:
      append(";59")
    case .palette:
      append(";58:5:")
      append(number: Int(color.paletteIndex))
    case .rgb:
      append(";58:2::")
      append(number: Int(color.red))
      append(UInt8(ascii: ":"))
      append(number: Int(color.green))
      append(UInt8(ascii: ":"))
      append(number: Int(color.blue))
    }
  }

  /// Appends the start of a hyperlink, or its end if `link` is `nil`. The identifier tells the
  /// terminal which pieces of text belong to the same link.
  mutating func appendLink(_ link: Hyperlink?, id: LinkTable.ID) {
    append("\u{1B}]8;")
    if let link {
      append("id=")
      append(number: Int(id.number))
      append(UInt8(ascii: ";"))
      append(text: link.address)
    } else {
      append(UInt8(ascii: ";"))
    }
    append("\u{1B}\\")
  }

  /// - Parameter base: 30 for the foreground, 40 for the background.
  private mutating func appendColor(_ color: Color, base: Int) {
    append(UInt8(ascii: ";"))
    switch color.kind {
    case .standard:
      append(number: base + 9)
    case .palette where color.paletteIndex < 8:
      append(number: base + Int(color.paletteIndex))
    case .palette where color.paletteIndex < 16:
      append(number: base + 60 + Int(color.paletteIndex) - 8)
    case .palette:
      append(number: base + 8)
      append(";5;")
      append(number: Int(color.paletteIndex))
    case .rgb:
      append(number: base + 8)
      append(";2;")
      append(number: Int(color.red))
      append(UInt8(ascii: ";"))
      append(number: Int(color.green))
      append(UInt8(ascii: ";"))
      append(number: Int(color.blue))
    }
  }
}

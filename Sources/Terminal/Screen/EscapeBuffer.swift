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

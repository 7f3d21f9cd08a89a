/// Decodes UTF-8 from bytes that arrive one at a time (Unicode Standard, table 3-7).
struct UTF8Decoder {
  /// The result of appending a byte.
  enum Step: Equatable {
    /// More bytes are needed.
    case incomplete
    /// The byte completes a scalar.
    case scalar(Unicode.Scalar)
    /// The byte is invalid at this position. If a sequence was in progress, it is invalid;
    /// otherwise the byte itself is.
    case invalid
  }

  private var value: UInt32 = 0
  private var missing = 0
  /// The valid range of the next byte. It is narrower after some lead bytes, which rules out
  /// overlong forms, surrogates and values above U+10FFFF.
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether a sequence is in progress.
  var isPending: Bool { missing > 0 }

  /// Appends a byte. After `.invalid` in the middle of a sequence, the byte must be appended again.
  mutating func append(_ byte: UInt8) -> Step {
    if missing == 0 { return begin(byte) }
    guard range.contains(byte) else {
      missing = 0
      return .invalid
    }
    range = 0x80...0xBF
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0 else { return .incomplete }
    guard let scalar = Unicode.Scalar(value) else { return .invalid }
    return .scalar(scalar)
  }

  private mutating func begin(_ byte: UInt8) -> Step {
    range = 0x80...0xBF
    switch byte {
    case 0x00...0x7F:
      return .scalar(Unicode.Scalar(byte))
    case 0xC2...0xDF:
      missing = 1
      value = UInt32(byte & 0x1F)
    case 0xE0...0xEF:
      missing = 2
      value = UInt32(byte & 0x0F)
      if byte == 0xE0 { range = 0xA0...0xBF }
      if byte == 0xED { range = 0x80...0x9F }
    case 0xF0...0xF4:
      missing = 3
      value = UInt32(byte & 0x07)
      if byte == 0xF0 { range = 0x90...0xBF }
      if byte == 0xF4 { range = 0x80...0x8F }
    default:
      return .invalid
    }
    return .incomplete
  }
}

/// Base64 encoding (RFC 4648, section 4) with padding.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the Base64 encoding of some bytes.
  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      var value = 0
      for position in start..<start + 3 {
        value = value << 8 | (position < bytes.count ? Int(bytes[position]) : 0)
      }
      for position in 0..<4 {
        let digit = digits[value >> (18 - 6 * position) & 63]
        result.append(start + position <= bytes.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A black-and-white PNG file (W3C recommendation, third edition) of any colour type and depth,
/// with uncompressed data.
struct PNGFile {
  /// The colour type: 0 greyscale, 2 RGB, 3 palette, 4 greyscale with alpha, 6 RGB with alpha.
  var type: UInt8
  /// The bits per sample.
  var depth: Int
  /// Whether the image is interlaced in seven passes (8.2).
  var isInterlaced = false
  /// The length of the compressed text before the image, or 0 for none.
  var textLength = 0

  /// All combinations in the format (table 11.1), plain and interlaced, with a short and a long
  /// text.
  static let allKinds: [PNGFile] = {
    let depths: [(UInt8, [Int])] = [
      (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ]
    return depths.flatMap { type, depths in
      depths.flatMap { depth in
        [false, true].flatMap { isInterlaced in
          [0, 195_000].map {
            PNGFile(type: type, depth: depth, isInterlaced: isInterlaced, textLength: $0)
          }
        }
      }
    }
  }()

  func bytes(_ isDark: [[Bool]]) -> [UInt8] {
    let (width, height) = (isDark[0].count, isDark.count)
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk(
      "IHDR",
      UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes
        + [UInt8(depth), type, 0, 0, isInterlaced ? 1 : 0])
    if type == 3 { file += chunk("PLTE", [0, 0, 0, 255, 255, 255]) }
    if textLength > 0 {
      let text = (0..<textLength).map { UInt8(ascii: "a") + UInt8($0 % 26) }
      file += chunk("zTXt", Array("Comment".utf8) + [0, 0] + stored(text))
    }
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var data: [UInt8] = []
    for (left, top, across, down) in passes where left < width && top < height {
      var last: [UInt8]?
      for y in stride(from: top, to: height, by: down) {
        let row = packed(stride(from: left, to: width, by: across).map { isDark[y][$0] })
        // Encode every other row as the difference to the row above (9.2).
        if let above = last {
          data += [2] + zip(row, above).map { $0 &- $1 }
          last = nil
        } else {
          data += [0] + row
          last = row
        }
      }
    }
    return file + chunk("IDAT", stored(data)) + chunk("IEND", [])
  }

  /// A row's samples, most significant bit first.
  private func packed(_ isDark: [Bool]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (byte, bits) = (0, 0)
    for isDark in isDark {
      let most = type == 3 ? 1 : (1 << depth) - 1
      var samples = [Int](repeating: isDark ? 0 : most, count: type & 2 != 0 && type != 3 ? 3 : 1)
      if type & 4 != 0 { samples.append(most) }
      for sample in samples {
        if depth == 16 { bytes.append(UInt8(sample >> 8)) }
        byte = byte << min(depth, 8) | sample & 0xFF
        bits += min(depth, 8)
        if bits == 8 {
          bytes.append(UInt8(byte))
          (byte, bits) = (0, 0)
        }
      }
    }
    return bits == 0 ? bytes : bytes + [UInt8(byte << (8 - bits))]
  }

  private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + data
    return UInt32(data.count).bigEndianBytes + content + content.checkSum.bigEndianBytes
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
  private func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65_535) {
      let block = data[start...].prefix(65_535)
      let length = UInt16(block.count)
      stream.append(start + block.count == data.count ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += block
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + (b << 16 | a).bigEndianBytes
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    [UInt8(self >> 24), UInt8(self >> 16 & 0xFF), UInt8(self >> 8 & 0xFF), UInt8(self & 0xFF)]
  }
}

extension [UInt8] {
  /// CRC-32, computed as in annex D.
  fileprivate var checkSum: UInt32 {
    ~reduce(0xFFFF_FFFF) { (sum: UInt32, byte: UInt8) -> UInt32 in
      (0..<8).reduce(sum ^ UInt32(byte)) { (sum: UInt32, _: Int) -> UInt32 in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }

  /// The bytes with random changes, as from a bad disk or an attacker.
  func damaged(by random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes[.random(in: 8..<count, using: &random)] = .random(in: 0...255, using: &random)
    }
    return Bool.random(using: &random)
      ? bytes : Array(bytes.prefix(.random(in: 8...count, using: &random)))
  }
}

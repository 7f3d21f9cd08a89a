import FoundationEssentials

/// How a camera was held, according to a JPEG file (Exif 2.32, tag 0x0112), and so how the stored
/// picture is turned upright.
struct JPEGOrientation: Equatable {
  /// Whether the file's rows are the picture's columns.
  var swapsSides: Bool
  /// Whether the file's rows run from right to left.
  var isMirroredInColumns: Bool
  /// Whether the file's rows run from the bottom to the top.
  var isMirroredInRows: Bool

  static let upright = JPEGOrientation(exif: 1)

  /// - Parameter value: The value of the tag, 1 to 8; anything else is upright.
  init(exif value: Int) {
    swapsSides = (5...8).contains(value)
    isMirroredInColumns = [2, 3, 7, 8].contains(value)
    isMirroredInRows = [3, 4, 6, 7].contains(value)
  }

  /// Reads the orientation of a file; upright if it has none.
  init(of jpeg: Data) {
    self.init(exif: Self.exif(in: ByteReader(jpeg)) ?? 1)
  }

  /// Finds the segment with Exif data, before the picture, and returns its orientation.
  private static func exif(in file: ByteReader) -> Int? {
    var offset = 2
    while let marker = file.number(at: offset, bytes: 2), marker >> 8 == 0xFF, marker != 0xFFDA,
      let length = file.number(at: offset + 2, bytes: 2), length >= 2
    {
      if marker == 0xFFE1, file.bytes(at: offset + 4, count: 6) == Array("Exif\0\0".utf8) {
        return orientation(in: file.dropping(offset + 10))
      }
      offset += 2 + length
    }
    return nil
  }

  /// Finds the tag in the first directory of a TIFF structure.
  private static func orientation(in tiff: ByteReader) -> Int? {
    var tiff = tiff
    switch tiff.bytes(at: 0, count: 2) {
    case Array("II".utf8): tiff.isLittleEndian = true
    case Array("MM".utf8): tiff.isLittleEndian = false
    default: return nil
    }
    guard let directory = tiff.number(at: 4, bytes: 4),
      let count = tiff.number(at: directory, bytes: 2)
    else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let tag = tiff.number(at: place, bytes: 2) else { return nil }
      if tag == 0x0112 { return tiff.number(at: place + 8, bytes: 2) }
    }
    return nil
  }
}

/// Reads numbers from bytes that aren't trusted.
private struct ByteReader {
  private let data: Data
  var isLittleEndian = false

  init(_ data: Data) { self.data = data }

  func dropping(_ count: Int) -> ByteReader { ByteReader(data.dropFirst(count)) }

  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, offset <= data.count - count else { return nil }
    let start = data.startIndex + offset
    return Array(data[start..<start + count])
  }

  func number(at offset: Int, bytes count: Int) -> Int? {
    bytes(at: offset, count: count).map { bytes in
      (isLittleEndian ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

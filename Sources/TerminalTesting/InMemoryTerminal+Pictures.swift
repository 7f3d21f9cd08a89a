import Terminal

extension InMemoryTerminal {
  /// The size of a cell in pixels.
  static let cellPixels = Size(columns: 10, rows: 20)

  /// The pictures that are completely visible. A sixel picture is listed until any of its cells is
  /// overwritten.
  public var pictures: [ShownPicture] {
    let sixels = sixels.filter { number, picture in
      (picture.rect.minRow..<picture.rect.maxRow).allSatisfy { row in
        (picture.rect.minColumn..<picture.rect.maxColumn).allSatisfy { column in
          page.rows[row][column].sixel == number
        }
      }
    }
    return placements.keys.sorted().map { placements[$0]! }
      + sixels.keys.sorted().map { sixels[$0]! }
  }

  // MARK: The kitty graphics protocol

  /// Carries out a command in an APC string: `Gkey=value,…;base64`. Returns `false` if it isn't
  /// supported.
  mutating func performGraphics(_ text: String) -> Bool {
    let parts = text.dropFirst().split(
      separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in parts[0].split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { keys[String(sides[0])] = String(sides[1]) }
    }
    let payload = parts.count > 1 ? String(parts[1]) : ""
    let id = keys["i"].flatMap { Int($0) } ?? 0
    switch keys["a"] {
    case "q":
      if answersGraphics { answers += Array("\u{1B}_Gi=\(id);OK\u{1B}\\".utf8) }
    case "t":
      guard keys["f"] == "32", let width = keys["s"].flatMap({ Int($0) }),
        let height = keys["v"].flatMap({ Int($0) })
      else { return false }
      upload = Upload(id: id, width: width, height: height, data: payload)
      if keys["m"] != "1" { return finishUpload() }
    case nil where upload != nil && keys["m"] != nil:
      upload?.data += payload
      if keys["m"] == "0" { return finishUpload() }
    case "p":
      guard let image = images[id], let columns = keys["c"].flatMap({ Int($0) }),
        let rows = keys["r"].flatMap({ Int($0) }), keys["C"] == "1"
      else { return false }
      placements[id] = ShownPicture(
        source: .kitty(id: id),
        rect: Rect(origin: page.cursor, size: Size(columns: columns, rows: rows)),
        width: image.width, height: image.height, pixels: image.bytes)
    case "d":
      switch keys["d"] {
      case "I":
        placements[id] = nil
        images[id] = nil
      case "A":
        placements.removeAll()
        images.removeAll()
      default: return false
      }
    default: return false
    }
    return true
  }

  private mutating func finishUpload() -> Bool {
    guard let done = upload, let bytes = base64(done.data),
      bytes.count == 4 * done.width * done.height
    else { return false }
    images[done.id] = PixelBuffer(width: done.width, height: done.height, rgba: bytes)
    upload = nil
    return true
  }

  /// A picture whose data arrives in chunks.
  struct Upload: Sendable {
    let id: Int
    let width: Int
    let height: Int
    var data: String
  }

  // MARK: Sixels

  /// Shows a sixel picture at the cursor, given the text after `q` in a DCS string.
  mutating func performSixel(_ text: Substring) -> Bool {
    guard let picture = SixelReader.read(text) else { return false }
    let cell = Self.cellPixels
    let rect = Rect(
      origin: page.cursor,
      size: Size(
        columns: (picture.width + cell.columns - 1) / cell.columns,
        rows: (picture.height + cell.rows - 1) / cell.rows))
    guard rect.maxColumn <= size.columns, rect.maxRow < size.rows else { return false }
    lastSixel += 1
    sixels[lastSixel] = ShownPicture(
      source: .sixel, rect: rect, width: picture.width, height: picture.height,
      pixels: picture.bytes)
    for row in rect.minRow..<rect.maxRow {
      for column in rect.minColumn..<rect.maxColumn { page.rows[row][column].sixel = lastSixel }
    }
    moveCursor(toColumn: 0, row: rect.maxRow)
    return true
  }
}

/// Decodes sixels as described in DEC STD 070.
private struct SixelReader {
  private var colors: [Int: [UInt8]] = [:]
  private var color = 0
  private var column = 0
  private var band = 0
  private let width: Int
  private let height: Int
  private var bytes: [UInt8]

  static func read(_ text: Substring) -> PixelBuffer? {
    var rest = text
    guard rest.popFirst() == "\"" else { return nil }
    let raster = numbers(&rest)
    guard raster.count == 4 else { return nil }
    var reader = SixelReader(width: raster[2], height: raster[3])
    return reader.read(&rest)
  }

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: 4 * width * height)
  }

  private mutating func read(_ rest: inout Substring) -> PixelBuffer? {
    while let character = rest.popFirst() {
      switch character {
      case "$": column = 0
      case "-":
        column = 0
        band += 1
      case "#":
        let values = Self.numbers(&rest)
        guard let register = values.first else { return nil }
        color = register
        if values.count == 5 {
          colors[register] = values[2...].map { UInt8($0 * 255 / 100) }
        }
      case "!":
        guard let count = Self.numbers(&rest).first, let sixel = rest.popFirst(),
          put(sixel, count: count)
        else { return nil }
      default:
        guard put(character, count: 1) else { return nil }
      }
    }
    return PixelBuffer(width: width, height: height, rgba: bytes)
  }

  private mutating func put(_ character: Character, count: Int) -> Bool {
    guard let value = character.asciiValue, (0x3F...0x7E).contains(value),
      let shade = colors[color], column + count <= width
    else { return false }
    for bit in 0..<6 where (value - 0x3F) >> UInt8(bit) & 1 == 1 {
      let row = 6 * band + bit
      guard row < height else { return false }
      for x in column..<column + count {
        let index = 4 * (row * width + x)
        bytes.replaceSubrange(index..<index + 4, with: shade + [255])
      }
    }
    column += count
    return true
  }

  /// Parses numbers separated by semicolons.
  private static func numbers(_ rest: inout Substring) -> [Int] {
    let digits = rest.prefix { $0.isNumber || $0 == ";" }
    rest = rest[digits.endIndex...]
    return digits.split(separator: ";").compactMap { Int($0) }
  }
}

/// Decodes Base64; returns `nil` if it is malformed.
private func base64(_ text: String) -> [UInt8]? {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var values = [UInt8?](repeating: nil, count: 256)
  for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
  var bytes: [UInt8] = []
  var buffer = 0
  var bits = 0
  for digit in text.utf8 where digit != UInt8(ascii: "=") {
    guard let value = values[Int(digit)] else { return nil }
    buffer = (buffer << 6 | Int(value)) & 0xFFFF
    bits += 6
    guard bits >= 8 else { continue }
    bits -= 8
    bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
  }
  return bytes
}

/// The pictures that the terminal draws itself, over cells that stay blank.
///
/// A view draws its picture with half blocks and asks for the real one. When the frame is complete,
/// a picture is handed to the terminal only where nothing has been drawn over it since; otherwise
/// its half blocks stay. The cells of a picture hold ``Glyph/picture``, so that the comparison of
/// frames writes them when a picture comes and when it goes.
struct PictureLayer {
  /// A picture that a view asked for in this frame.
  private struct Request {
    let picture: ShownPicture
    /// The cells as the view has drawn them.
    let cells: [Cell]
  }

  /// A picture at its place.
  struct ShownPicture: Hashable {
    let pixels: PixelBuffer
    let rect: Rect
    /// What shows where the picture is transparent.
    let ground: Pixel
  }

  private var requests: [Request] = []
  /// What the terminal is to show.
  private var wanted: [ShownPicture] = []
  /// What the terminal shows, with the number by which it knows each picture.
  private var shown: [(picture: ShownPicture, id: Int)] = []
  private var lastID = 0
  /// Whether a cell was written that a picture covers.
  var isHurt = false

  /// Whether moving rows would move a picture.
  var isActive: Bool { !wanted.isEmpty || !shown.isEmpty }

  /// Forgets what was asked for in the last frame.
  mutating func begin() {
    requests.removeAll(keepingCapacity: true)
  }

  /// Asks for a picture whose half blocks have just been drawn.
  mutating func request(_ picture: ShownPicture, drawnOn buffer: CellBuffer) {
    requests.append(Request(picture: picture, cells: buffer.cells(of: picture.rect)))
  }

  /// Settles which pictures are shown, and leaves their cells to them.
  /// - Parameter features: What the terminal understands.
  mutating func settle(on buffer: inout CellBuffer, features: ScreenFeatures) {
    wanted.removeAll(keepingCapacity: true)
    isHurt = false
    guard !requests.isEmpty else { return }
    let isSixel = !features.contains(.kittyGraphics)
    guard !isSixel || features.contains(.sixel) else { return }
    for request in requests {
      let rect = request.picture.rect
      // After a sixel in the last row, terminals scroll.
      if isSixel, rect.maxRow >= buffer.size.rows { continue }
      guard buffer.cells(of: rect) == request.cells else { continue }
      for row in rect.minRow..<rect.maxRow {
        buffer.fill(
          rect.minColumn..<rect.maxColumn, row: row, with: Cell(glyph: .picture, style: 0))
      }
      wanted.append(request.picture)
    }
  }

  /// Forgets what the terminal shows, which has been cleared.
  mutating func forget(_ pen: inout Pen) {
    if !shown.isEmpty, pen.features.contains(.kittyGraphics) {
      pen.output.append(text: KittyGraphics.deleteAll)
    }
    shown.removeAll()
  }

  /// Writes what makes the terminal show the pictures.
  /// - Parameter cellPixels: The size of a cell.
  mutating func write(with pen: inout Pen, cellPixels: Size?) {
    guard isActive else { return }
    if pen.features.contains(.kittyGraphics) {
      writeKitty(with: &pen, cellPixels: cellPixels)
    } else if pen.features.contains(.sixel), let cellPixels {
      writeSixels(with: &pen, cellPixels: cellPixels)
    }
  }

  private mutating func writeKitty(with pen: inout Pen, cellPixels: Size?) {
    for (picture, id) in shown where !wanted.contains(picture) {
      pen.output.append(bytes: KittyGraphics.delete(id: id))
    }
    shown.removeAll { !wanted.contains($0.picture) }
    for picture in wanted where !shown.contains(where: { $0.picture == picture }) {
      lastID += 1
      let pixels = picture.pixels.reduced(toFit: picture.rect.size, cellPixels: cellPixels)
      pen.output.append(bytes: KittyGraphics.transmit(pixels, id: lastID))
      pen.move(to: picture.rect.origin)
      pen.output.append(bytes: KittyGraphics.place(id: lastID, size: picture.rect.size))
      shown.append((picture, lastID))
    }
  }

  private mutating func writeSixels(with pen: inout Pen, cellPixels: Size) {
    for picture in wanted where isHurt || !shown.contains(where: { $0.picture == picture }) {
      pen.use(.plain)
      pen.move(to: picture.rect.origin)
      let pixels = picture.pixels.resampled(
        width: picture.rect.columns * cellPixels.columns,
        height: picture.rect.rows * cellPixels.rows)
      pen.output.append(bytes: Sixel(pixels: pixels, ground: picture.ground).bytes)
      pen.forgetPosition()
    }
    shown = wanted.map { ($0, 0) }
  }
}

extension PixelBuffer {
  /// The picture with no more pixels than a number of cells has.
  fileprivate func reduced(toFit cells: Size, cellPixels: Size?) -> PixelBuffer {
    let cell = cellPixels ?? Size(columns: 20, rows: 40)
    let (columns, rows) = (cells.columns * cell.columns, cells.rows * cell.rows)
    guard width > columns || height > rows else { return self }
    return resampled(width: min(width, columns), height: min(height, rows))
  }
}

extension CellBuffer {
  /// The cells of a rectangle, row by row.
  fileprivate func cells(of rect: Rect) -> [Cell] {
    var result: [Cell] = []
    result.reserveCapacity(rect.columns * rect.rows)
    for row in rect.minRow..<rect.maxRow {
      let start = row * size.columns
      result += cells[start + rect.minColumn..<start + rect.maxColumn]
    }
    return result
  }
}

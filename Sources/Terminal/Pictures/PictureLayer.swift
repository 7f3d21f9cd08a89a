/// The pictures that the terminal draws itself, above cells that stay blank.
///
/// A view draws its picture with half blocks and requests the real one. When the frame is complete,
/// a picture is sent to the terminal only if nothing has been drawn over it since; otherwise its
/// half blocks remain. The cells of a picture hold ``Glyph/picture``, so that the frame comparison
/// rewrites them when a picture appears or goes.
struct PictureLayer {
  /// A picture requested by a view in this frame.
  private struct Request {
    let picture: ShownPicture
    /// The cells as drawn by the view.
    let cells: [Cell]
  }

  /// A picture and its place on the screen.
  struct ShownPicture: Hashable {
    let pixels: PixelBuffer
    let rect: Rect
    /// The colour behind transparent pixels.
    let ground: Pixel
  }

  private var requests: [Request] = []
  /// The pictures to be shown.
  private var wanted: [ShownPicture] = []
  /// The pictures that the terminal shows, with their kitty graphics identifiers.
  private var shown: [(picture: ShownPicture, id: Int)] = []
  private var lastID = 0
  /// Whether a cell covered by a picture was written.
  var wasOverwritten = false

  /// Whether there are pictures, which moving rows would move too.
  var isActive: Bool { !wanted.isEmpty || !shown.isEmpty }

  /// The number of pictures that views requested in this frame.
  var requestCount: Int { requests.count }

  /// Discards the requests of the last frame.
  mutating func begin() {
    requests.removeAll(keepingCapacity: true)
  }

  /// Requests a picture whose half blocks have just been drawn.
  mutating func request(_ picture: ShownPicture, drawnOn buffer: CellBuffer) {
    requests.append(Request(picture: picture, cells: buffer.cells(of: picture.rect)))
  }

  /// Decides which pictures are shown and marks their cells as covered.
  /// - Parameter features: The optional features that the terminal supports.
  mutating func resolve(on buffer: inout CellBuffer, features: ScreenFeatures) {
    wanted.removeAll(keepingCapacity: true)
    wasOverwritten = false
    guard !requests.isEmpty else { return }
    let isSixel = !features.contains(.kittyGraphics)
    guard !isSixel || features.contains(.sixel) else { return }
    for request in requests {
      let rect = request.picture.rect
      // Terminals scroll after a sixel in the last row.
      if isSixel, rect.maxRow >= buffer.size.rows { continue }
      guard buffer.cells(of: rect) == request.cells else { continue }
      for row in rect.minRow..<rect.maxRow {
        buffer.fill(
          rect.minColumn..<rect.maxColumn, row: row, with: Cell(glyph: .picture, style: 0))
      }
      wanted.append(request.picture)
    }
  }

  /// Discards what is known about shown pictures, because the screen has been cleared.
  mutating func forget(_ pen: inout Pen) {
    if !shown.isEmpty, pen.features.contains(.kittyGraphics) {
      pen.output.append(text: KittyGraphics.deleteAll)
    }
    shown.removeAll()
  }

  /// Writes the changes to the terminal's pictures.
  /// - Parameter cellPixels: The size of a cell in pixels.
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
    for picture in wanted where wasOverwritten || !shown.contains(where: { $0.picture == picture })
    {
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
  /// Returns the picture with at most as many pixels as a number of cells has.
  fileprivate func reduced(toFit cells: Size, cellPixels: Size?) -> PixelBuffer {
    let cell = cellPixels ?? Size(columns: 20, rows: 40)
    let (columns, rows) = (cells.columns * cell.columns, cells.rows * cell.rows)
    guard width > columns || height > rows else { return self }
    return resampled(width: min(width, columns), height: min(height, rows))
  }
}

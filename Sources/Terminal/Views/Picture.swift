/// A pixel image, as large as fits with its aspect ratio kept.
///
/// If the terminal can draw pictures (kitty graphics protocol or sixels) and nothing covers this
/// one, it receives the pixels. Otherwise two pixels share a cell as half blocks in the available
/// colours; without colours, or in ASCII, characters of different density stand for brightness.
public struct Picture: PrimitiveView {
  private let pixels: PixelBuffer
  private let label: String

  /// - Parameters:
  ///   - pixels: The picture.
  ///   - label: A description for users who can't see the picture.
  public init(_ pixels: PixelBuffer, label: String) {
    self.pixels = pixels
    self.label = label
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(label).build(in: tree) }
    tree.add(
      PictureElement(pixels: pixels, ground: Pixel(tree.environment.style.background, tree.theme)))
  }
}

struct PictureElement: Element {
  let pixels: PixelBuffer
  /// The colour behind transparent pixels.
  let ground: Pixel

  /// The maximum size of a picture in cells. As half blocks, nearly every cell needs its own style.
  static let cellLimit = 4_000

  private static let shades: [Unicode.Scalar] = [" ", "░", "▒", "▓", "█"]
  private static let asciiShades: [Unicode.Scalar] = [
    " ", ".", ":", "-", "=", "+", "*", "#", "%", "@",
  ]

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    // Assume the usual cell, twice as high as it is wide.
    let cell = tree.cellPixels ?? Size(columns: 10, rows: 20)
    let (wide, high) = (pixels.width * cell.rows, pixels.height * cell.columns)
    var columns = proposal.columns
    if columns == Proposal.ideal { columns = max(1, pixels.width / cell.columns) }
    columns = min(columns, Self.cellLimit)
    if proposal.rows != Proposal.ideal { columns = min(columns, proposal.rows * wide / high) }
    var rows = columns * high / wide
    while columns > 1, columns * max(1, rows) > Self.cellLimit {
      columns -= 1
      rows = columns * high / wide
    }
    guard columns > 0, proposal.rows != 0 else { return .zero }
    return Size(columns: columns, rows: max(1, rows))
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    guard !rect.isEmpty, rect.columns * rect.rows <= Self.cellLimit else { return }
    let small = pixels.resampled(width: rect.columns, height: 2 * rect.rows)
    let depth: ColorDepth = tree.theme.isMono ? .none : canvas.screen.depth
    let style = tree.style(of: node)
    for row in 0..<rect.rows {
      for column in 0..<rect.columns {
        let upper = pixel(of: small, x: column, y: 2 * row, depth: depth)
        let lower = pixel(of: small, x: column, y: 2 * row + 1, depth: depth)
        guard upper != nil || lower != nil else { continue }
        let pair = (upper ?? ground, lower ?? ground)
        let point = rect.origin.offset(columns: column, rows: row)
        if depth == .none || canvas.glyphs == .ascii {
          drawShade(pair, at: point, depth: depth, style: style, on: canvas)
        } else {
          drawHalves(pair, at: point, style: style, on: canvas)
        }
      }
    }
    if canvas.clip.intersection(rect) == rect {
      canvas.screen.request(pixels, in: rect, on: ground)
    }
  }

  private func pixel(of small: PixelBuffer, x: Int, y: Int, depth: ColorDepth) -> Pixel? {
    guard let pixel = small.pixel(x: x, y: y, on: ground), let step = Dither.step(for: depth),
      depth != .none
    else { return small.pixel(x: x, y: y, on: ground) }
    return Dither.apply(pixel, x: x, y: y, step: step)
  }

  private func drawHalves(
    _ pair: (upper: Pixel, lower: Pixel), at point: Point, style: Style, on canvas: Canvas
  ) {
    var style = style
    style.background = pair.lower.color
    guard pair.upper != pair.lower else { return canvas.put(" ", at: point, style: style) }
    style.foreground = pair.upper.color
    canvas.put("▀", at: point, style: style)
  }

  private func drawShade(
    _ pair: (upper: Pixel, lower: Pixel), at point: Point, depth: ColorDepth, style: Style,
    on canvas: Canvas
  ) {
    var brightness = (pair.upper.luma + pair.lower.luma) / 2
    // On a light background, dark pixels need the dense characters.
    if ground.luma > 127 { brightness = 255 - brightness }
    let shades = canvas.glyphs == .ascii ? Self.asciiShades : Self.shades
    var style = style
    if depth > .none {
      style.foreground = (pair.upper.luma > pair.lower.luma ? pair.upper : pair.lower).color
    }
    canvas.put(shades[(brightness * (shades.count - 1) + 127) / 255], at: point, style: style)
  }
}

extension Pixel {
  /// Creates the pixel of a background colour, or of the theme's if that is the terminal's default.
  init(_ background: Color, _ theme: Theme) {
    let components =
      background.components ?? theme.canvas.background.components ?? (red: 0, green: 0, blue: 0)
    self.init(red: components.red, green: components.green, blue: components.blue)
  }
}

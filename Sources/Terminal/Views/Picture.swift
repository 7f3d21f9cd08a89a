/// A picture of pixels, as large as fits with its proportions kept.
///
/// Where the terminal can draw pictures (the kitty graphics protocol, sixels) and nothing covers
/// this one, it gets the pixels; elsewhere two pixels share a cell as half blocks, in the colours
/// that there are; without colours, or in ASCII, shades stand for brightness.
public struct Picture: PrimitiveView {
  private let pixels: PixelBuffer
  private let label: String

  /// - Parameters:
  ///   - pixels: The picture.
  ///   - label: What it shows, for those who do not see it.
  public init(_ pixels: PixelBuffer, label: String) {
    self.pixels = pixels
    self.label = label
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken { return Text(label).build(in: tree) }
    tree.add(
      PictureElement(pixels: pixels, ground: Pixel(tree.environment.style.background, tree.theme)))
  }
}

struct PictureElement: Element {
  let pixels: PixelBuffer
  /// What shows where the picture is transparent.
  let ground: Pixel

  /// The most cells of a picture. As half blocks nearly each has a style of its own.
  static let cellLimit = 4_000

  private static let shades: [Unicode.Scalar] = [" ", "░", "▒", "▓", "█"]
  private static let asciiShades: [Unicode.Scalar] = [
    " ", ".", ":", "-", "=", "+", "*", "#", "%", "@",
  ]

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    // A cell is about twice as high as it is wide.
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
    // On a light ground the ink is what is dark.
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
  /// The ground that a colour gives, or the theme's where it is the terminal's own.
  init(_ background: Color, _ theme: Theme) {
    let components =
      background.components ?? theme.canvas.background.components ?? (red: 0, green: 0, blue: 0)
    self.init(red: components.red, green: components.green, blue: components.blue)
  }
}

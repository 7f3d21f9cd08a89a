/// Line and block characters as vector shapes, so that they join up in an image regardless of the
/// font.
enum BoxShape: Hashable {
  /// Lines from the centre of the cell to its sides; `isHeavy` for thick ones.
  case lines(Sides, isHeavy: Bool)
  /// A quarter circle between two sides.
  case corner(Sides)
  /// A filled part of the cell, as fractions of its width and height.
  case block(x: Double, y: Double, width: Double, height: Double)

  struct Sides: OptionSet, Hashable {
    let rawValue: UInt8
    static let left = Sides(rawValue: 1)
    static let right = Sides(rawValue: 2)
    static let up = Sides(rawValue: 4)
    static let down = Sides(rawValue: 8)
  }

  init?(_ text: String) {
    switch text {
    case "─": self = .lines([.left, .right], isHeavy: false)
    case "│": self = .lines([.up, .down], isHeavy: false)
    case "├": self = .lines([.up, .down, .right], isHeavy: false)
    case "┤": self = .lines([.up, .down, .left], isHeavy: false)
    case "┬": self = .lines([.left, .right, .down], isHeavy: false)
    case "┴": self = .lines([.left, .right, .up], isHeavy: false)
    case "┼": self = .lines([.left, .right, .up, .down], isHeavy: false)
    case "━": self = .lines([.left, .right], isHeavy: true)
    case "┃": self = .lines([.up, .down], isHeavy: true)
    case "╸": self = .lines(.left, isHeavy: true)
    case "╺": self = .lines(.right, isHeavy: true)
    case "┌": self = .lines([.right, .down], isHeavy: false)
    case "┐": self = .lines([.left, .down], isHeavy: false)
    case "└": self = .lines([.right, .up], isHeavy: false)
    case "┘": self = .lines([.left, .up], isHeavy: false)
    case "╭": self = .corner([.right, .down])
    case "╮": self = .corner([.left, .down])
    case "╰": self = .corner([.right, .up])
    case "╯": self = .corner([.left, .up])
    case "█": self = .block(x: 0, y: 0, width: 1, height: 1)
    case "▀": self = .block(x: 0, y: 0, width: 1, height: 0.5)
    case "▄": self = .block(x: 0, y: 0.5, width: 1, height: 0.5)
    case "▌": self = .block(x: 0, y: 0, width: 0.5, height: 1)
    case "▐": self = .block(x: 0.5, y: 0, width: 0.5, height: 1)
    case "▏": self = .block(x: 0, y: 0, width: 0.125, height: 1)
    case "▕": self = .block(x: 0.875, y: 0, width: 0.125, height: 1)
    case "▁": self = .block(x: 0, y: 0.875, width: 1, height: 0.125)
    case "▂": self = .block(x: 0, y: 0.75, width: 1, height: 0.25)
    case "▃": self = .block(x: 0, y: 0.625, width: 1, height: 0.375)
    case "▅": self = .block(x: 0, y: 0.375, width: 1, height: 0.625)
    case "▆": self = .block(x: 0, y: 0.25, width: 1, height: 0.75)
    case "▇": self = .block(x: 0, y: 0.125, width: 1, height: 0.875)
    default: return nil
    }
  }

  /// Whether a run of this shape can be drawn as one wider shape.
  var joinsSideways: Bool {
    switch self {
    case .lines(let sides, _): sides == [.left, .right]
    case .block(let x, _, let width, _): x == 0 && width == 1
    case .corner: false
    }
  }

  /// Returns the SVG element for the shape in a given rectangle.
  func svg(x: Double, y: Double, width: Double, height: Double, color: String) -> String {
    let (middle, center) = (x + width / 2, y + height / 2)
    switch self {
    case .block(let left, let top, let columns, let rows):
      return """
        <rect x="\(svgNumber(x + left * width))" y="\(svgNumber(y + top * height))" \
        width="\(svgNumber(columns * width))" height="\(svgNumber(rows * height))" \
        fill="\(color)" shape-rendering="crispEdges"/>

        """
    case .lines(let sides, let isHeavy):
      var path = ""
      let start = "M\(svgNumber(middle)) \(svgNumber(center))"
      if sides.contains(.left) { path += start + "H\(svgNumber(x))" }
      if sides.contains(.right) { path += start + "H\(svgNumber(x + width))" }
      if sides.contains(.up) { path += start + "V\(svgNumber(y))" }
      if sides.contains(.down) { path += start + "V\(svgNumber(y + height))" }
      return stroke(path, width: isHeavy ? 3 : 1.2, color: color)
    case .corner(let sides):
      let side = sides.contains(.left) ? x : x + width
      let end = sides.contains(.up) ? y : y + height
      let path =
        "M\(svgNumber(side)) \(svgNumber(center))"
        + "Q\(svgNumber(middle)) \(svgNumber(center)) \(svgNumber(middle)) \(svgNumber(end))"
      return stroke(path, width: 1.2, color: color)
    }
  }

  private func stroke(_ path: String, width: Double, color: String) -> String {
    "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(svgNumber(width))\"/>\n"
  }
}

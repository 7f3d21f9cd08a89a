extension Frame {
  /// Returns the frame as an SVG image: a window with rounded corners, containing real text and
  /// vector lines.
  ///
  /// Each run of text has an explicit length, so columns line up in any font. Boxes, bars and
  /// blocks are drawn as shapes so that they join up.
  ///
  /// - Parameters:
  ///   - title: The text in the window's title bar.
  ///   - description: A description of the image for screen readers, such as the result of
  ///     ``ViewHost/spokenLines(of:columns:rows:)``.
  public func svg(title: String? = nil, description: [String] = []) -> String {
    SVGPicture(frame: self, title: title, description: description).text
  }
}

/// Writes one frame as SVG.
private struct SVGPicture {
  let frame: Frame
  let title: String?
  let description: [String]

  // The proportions of a cell in common monospaced fonts at this size.
  private let cellWidth = 8.4
  private let cellHeight = 18.0
  private let fontSize = 14.0
  private let margin = 16.0
  private let barHeight = 34.0

  private var width: Double { Double(frame.size.columns) * cellWidth + 2 * margin }
  private var height: Double { Double(frame.size.rows) * cellHeight + barHeight + margin }

  var text: String {
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(svgNumber(width))" \
      height="\(svgNumber(height))" viewBox="0 0 \(svgNumber(width)) \(svgNumber(height))" \
      font-family="ui-monospace, 'SF Mono', 'JetBrains Mono', Menlo, Consolas, \
      'DejaVu Sans Mono', monospace" font-size="\(svgNumber(fontSize))" role="img">
      <title>\((title ?? "A terminal").sanitized.xmlEscaped)</title>\(words)
      <rect x="0.5" y="0.5" width="\(svgNumber(width - 1))" height="\(svgNumber(height - 1))" \
      rx="10" fill="\(ground)" stroke="#8888" />
      <circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/>\
      <circle cx="60" cy="18" r="6" fill="#28c840"/>

      """
    if let title {
      svg += """
        <text x="\(svgNumber(width / 2))" y="22" text-anchor="middle" fill="\(ink)" \
        opacity="0.6" font-size="12">\(title.sanitized.xmlEscaped)</text>

        """
    }
    for row in 0..<frame.size.rows {
      svg += grounds(row)
      svg += runs(row)
    }
    if let cursor = frame.cursor {
      svg += rect(column: cursor.column, row: cursor.row, columns: 1, fill: ink, opacity: 0.5)
    }
    return svg + "</svg>\n"
  }

  private var words: String {
    if description.isEmpty { return "" }
    let lines = description.map(\.sanitized.xmlEscaped).joined(separator: "\n")
    return "\n<desc>\(lines)</desc>"
  }

  private var ground: String { frame.canvas.background.svg ?? "#16181d" }
  private var ink: String { frame.canvas.foreground.svg ?? "#d7dae0" }

  /// Returns the text and background colours of a cell, swapped if it is reversed.
  private func colors(_ style: Style) -> (ink: String, ground: String?) {
    let ink = style.foreground.svg ?? self.ink
    let ground = style.background.svg
    guard style.attributes.contains(.reverse) else { return (ink, ground) }
    return (ground ?? self.ground, ink)
  }

  private func grounds(_ row: Int) -> String {
    var svg = ""
    var column = 0
    while column < frame.size.columns {
      let fill = colors(frame[column, row].style).ground
      var end = column + 1
      while end < frame.size.columns, colors(frame[end, row].style).ground == fill { end += 1 }
      if let fill {
        svg += rect(column: column, row: row, columns: end - column, fill: fill, opacity: 1)
      }
      column = end
    }
    return svg
  }

  private func rect(column: Int, row: Int, columns: Int, fill: String, opacity: Double) -> String {
    let place = """
      x="\(svgNumber(x(column)))" y="\(svgNumber(y(row)))" \
      width="\(svgNumber(Double(columns) * cellWidth))" height="\(svgNumber(cellHeight))"
      """
    let faded = opacity < 1 ? " opacity=\"\(svgNumber(opacity))\"" : ""
    return "<rect \(place) fill=\"\(fill)\"\(faded)/>\n"
  }

  private func runs(_ row: Int) -> String {
    var svg = ""
    var column = 0
    while column < frame.size.columns {
      let cell = frame[column, row]
      if cell.text == " " || cell.text.isEmpty {
        column += 1
        continue
      }
      let fill = colors(cell.style).ink
      if let shape = BoxShape(cell.text) {
        var end = column + 1
        // Draw a run as one shape to avoid seams.
        while shape.joinsSideways, end < frame.size.columns, frame[end, row] == cell { end += 1 }
        svg += shape.svg(
          x: x(column), y: y(row), width: Double(end - column) * cellWidth, height: cellHeight,
          color: fill)
        column = end
        continue
      }
      let end = runEnd(from: column, row: row)
      svg += textRun(from: column, to: end, row: row, fill: fill, style: cell.style)
      column = end
    }
    return svg
  }

  /// Returns the end of a run of text in one style; two consecutive blanks also end it.
  private func runEnd(from start: Int, row: Int) -> Int {
    let style = frame[start, row].style
    var end = start + 1
    var lastText = start
    while end < frame.size.columns {
      let cell = frame[end, row]
      guard cell.style == style, cell.link == frame[start, row].link, BoxShape(cell.text) == nil
      else { break }
      if cell.text == " " {
        if end - lastText > 1 { break }
      } else {
        lastText = end
      }
      end += 1
    }
    return lastText + 1
  }

  private func textRun(
    from start: Int, to end: Int, row: Int, fill: String, style: Style
  ) -> String {
    var text = ""
    for column in start..<end { text += frame[column, row].text }
    var attributes = ""
    if style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
    if style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    if let decoration = decoration(style) { attributes += " text-decoration=\"\(decoration)\"" }
    let run = """
      <text x="\(svgNumber(x(start)))" y="\(svgNumber(y(row) + 13.5))" \
      textLength="\(svgNumber(Double(end - start) * cellWidth))" lengthAdjust="spacingAndGlyphs" \
      fill="\(fill)"\(attributes) xml:space="preserve">\(text.xmlEscaped)</text>
      """
    guard let link = frame[start, row].link else { return run + "\n" }
    return "<a href=\"\(link.address.xmlEscaped)\">\(run)</a>\n"
  }

  /// Returns the CSS value for underlines and strikethrough.
  private func decoration(_ style: Style) -> String? {
    var lines: [String] = []
    if style.attributes.contains(.underline) { lines.append("underline") }
    if style.attributes.contains(.strike) { lines.append("line-through") }
    guard !lines.isEmpty else { return nil }
    if style.attributes.contains(.underline) {
      switch style.underlineStyle {
      case .single: break
      case .double: lines.append("double")
      case .curly: lines.append("wavy")
      case .dotted: lines.append("dotted")
      case .dashed: lines.append("dashed")
      }
      if let color = style.underlineColor.svg { lines.append(color) }
    }
    return lines.joined(separator: " ")
  }

  private func x(_ column: Int) -> Double { margin + Double(column) * cellWidth }
  private func y(_ row: Int) -> Double { barHeight + Double(row) * cellHeight }
}

extension Color {
  /// The colour in SVG notation; `nil` for the terminal's default.
  fileprivate var svg: String? {
    guard let (red, green, blue) = components else { return nil }
    let value = 1 << 24 | Int(red) << 16 | Int(green) << 8 | Int(blue)
    return "#" + String(value, radix: 16).dropFirst()
  }
}

extension String {
  fileprivate var xmlEscaped: String {
    var result = ""
    for character in self {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }
}

/// Formats a number with at most two decimals.
func svgNumber(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
  if rest == 0 { return String(whole) }
  if rest % 10 == 0 { return "\(whole).\(rest / 10)" }
  return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
}

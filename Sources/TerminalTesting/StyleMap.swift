public import Terminal

/// The styles of a frame's cells, as a few lines of text to record next to the frame.
///
/// Each style has a letter, assigned in order of appearance. A row lists runs of letters: `3a12b`
/// means three cells of the first style and twelve of the second.
public struct StyleMap: Hashable, Sendable {
  /// The runs of each row.
  public let rows: [String]
  /// The style for each letter.
  public let legend: [String]

  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// Creates the map of a frame. If it has more styles than there are letters, as with a picture,
  /// the map is only a checksum.
  public init(_ frame: Frame) {
    var order: [CellLook] = []
    var numbers: [CellLook: Int] = [:]
    let cells = frame.cells.map { cell -> Int in
      let look = CellLook(style: cell.style, link: cell.link)
      if let known = numbers[look] { return known }
      numbers[look] = order.count
      order.append(look)
      return order.count - 1
    }
    guard order.count <= Self.letters.count else {
      rows = []
      let sum = checksum(of: order.map(\.description) + cells.map(String.init))
      legend = ["\(order.count) styles, checksum \(sum)"]
      return
    }
    let columns = frame.size.columns
    rows = (0..<frame.size.rows).map { row in
      Self.runs(of: cells[row * columns..<(row + 1) * columns])
    }
    legend = order.enumerated().map { "\(Self.letters[$0.offset]) \($0.element.description)" }
  }

  /// The lines to record.
  public var lines: [String] { legend + rows }

  private static func runs(of cells: ArraySlice<Int>) -> String {
    var text = ""
    var rest = cells
    while let first = rest.first {
      let count = rest.prefix { $0 == first }.count
      text += (count > 1 ? "\(count)" : "") + String(letters[first])
      rest = rest.dropFirst(count)
    }
    return text
  }

  /// Returns the look of a cell in the words of the legend: `#87afff bold`.
  public static func description(of cell: Frame.Cell) -> String {
    CellLook(style: cell.style, link: cell.link).description
  }

  /// Everything visible in a cell except its text.
  private struct CellLook: Hashable, CustomStringConvertible {
    let style: Style
    let link: Hyperlink?

    var description: String {
      var words: [String] = []
      if style.foreground != .standard { words.append(style.foreground.shortName) }
      if style.background != .standard { words.append("on " + style.background.shortName) }
      for (attribute, name) in Self.names where style.attributes.contains(attribute) {
        words.append(name)
      }
      if style.attributes.contains(.underline), style.underlineStyle != .single {
        words.append("\(style.underlineStyle)")
      }
      if style.underlineColor != .standard {
        words.append("line " + style.underlineColor.shortName)
      }
      if let link { words.append("to \(link.address)") }
      return words.isEmpty ? "plain" : words.joined(separator: " ")
    }

    private static let names: [(TextAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.blink, "blink"), (.reverse, "reverse"), (.strike, "strike"),
    ]
  }
}

extension Color {
  /// The colour in hexadecimal notation.
  fileprivate var shortName: String {
    guard let (red, green, blue) = components else { return "standard" }
    let value = 1 << 24 | Int(red) << 16 | Int(green) << 8 | Int(blue)
    return "#" + String(value, radix: 16).dropFirst()
  }
}

import struct Composable.SplitMix64

@testable import Terminal

/// Random frames: text of all widths, fills, runs of equal cells, moved rows.
struct RandomFrame {
  /// The previous frame, which the next one is drawn over.
  private var before: CellBuffer?
  /// The texts to write.
  var texts = Self.texts

  /// The texts without clusters that terminals measure differently.
  static let undisputedTexts = texts.filter { text in
    text.graphemes.allSatisfy { !$0.isWidthDisputed }
  }

  private static let texts = [
    "Hello, world", "────────────────", "          ", "a", "日本語", "e\u{301}te\u{301}", "👨‍👩‍👧‍👦",
    "❤️ heart", "🇩🇪🇫🇷", "1️⃣ key", "x日", "각", "....", "ーーー", "\u{1B}[31mraw\u{7}",
  ]

  static let styles: [Style] = [
    .plain,
    Style(foreground: .palette(1)),
    Style(foreground: .palette(12), background: .palette(9)),
    Style(foreground: .palette(200), attributes: .bold),
    Style(foreground: .rgb(1, 2, 3), background: .rgb(250, 128, 0)),
    Style(attributes: [.dim]),
    Style(attributes: [.bold, .dim, .italic]),
    Style(attributes: [.underline, .strike]),
    Style(background: .palette(4), attributes: [.reverse]),
    Style(attributes: [.blink]),
    Style(background: .hex(0x203040)),
    Style(attributes: .underline, underlineStyle: .curly, underlineColor: .palette(9)),
    Style(attributes: [.underline, .bold], underlineStyle: .double),
    Style(
      foreground: .palette(2), attributes: .underline, underlineStyle: .dotted,
      underlineColor: .rgb(9, 8, 7)),
    Style(attributes: .underline, underlineStyle: .dashed),
    // Without an underline, its shape and colour aren't visible.
    Style(underlineStyle: .curly, underlineColor: .palette(3)),
  ]

  private static let links = [
    Hyperlink("https://example.org/a?b=c;d"), Hyperlink("mailto:ada@example.org"),
  ]

  /// Draws random content over the previous frame.
  mutating func draw(on screen: Screen, using random: inout SplitMix64) {
    let canvas = Canvas(screen: screen, glyphs: .unicode)
    let size = screen.back.size
    if let before, before.size == size {
      screen.back = before
      if Bool.random(using: &random) { Self.scroll(screen, using: &random) }
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let point = Point(
        column: Int.random(in: -4..<size.columns, using: &random),
        row: Int.random(in: 0..<size.rows, using: &random))
      var style = Self.styles.randomElement(using: &random)!
      if Int.random(in: 0..<4, using: &random) == 0 {
        style.link = screen.links.id(for: Self.links.randomElement(using: &random)!!)
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let extent = Size(
          columns: Int.random(in: 0...size.columns, using: &random),
          rows: Int.random(in: 0...2, using: &random))
        canvas.fill(Rect(origin: point, size: extent), style: style)
      } else {
        canvas.write(texts.randomElement(using: &random)!, at: point, style: style)
      }
    }
    before = screen.back
  }

  /// Moves some rows up or down.
  private static func scroll(_ screen: Screen, using random: inout SplitMix64) {
    let size = screen.back.size
    let step = Int.random(in: -2...2, using: &random)
    let before = screen.back
    for row in 0..<size.rows where (0..<size.rows).contains(row + step) {
      for column in 0..<size.columns { screen.back[column, row] = before[column, row + step] }
    }
  }
}

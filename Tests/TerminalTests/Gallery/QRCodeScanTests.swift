import Composable
import Glibc
import Terminal
import TerminalTesting
import Testing

@testable import gallery

/// Checks that a scanner can read a QR code off the screen: renders it on a terminal, paints the
/// cells as pixels and passes the image to `zbarimg`.
@MainActor
@Suite(
  .enabled(
    if: access("/usr/bin/zbarimg", X_OK) == 0, "zbarimg is missing (apt-get install zbar-tools)"))
struct QRCodeScanTests {
  struct Look: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var theme: Theme
    var depth = ColorDepth.trueColor
  }

  nonisolated static let looks = [
    Look(testDescription: "dark", theme: .dark),
    Look(testDescription: "light", theme: .light),
    Look(testDescription: "16 colours", theme: .dark, depth: .ansi16),
    Look(testDescription: "no colour", theme: .mono, depth: .none),
    Look(testDescription: "ASCII", theme: .dark.ascii),
  ]

  @Test(arguments: looks) func code_isReadOffTheScreen(_ look: Look) throws {
    let view = QRCode(SampleCode.modules, label: "")
      .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
    #expect(try scanned(view, look, name: "code") == SampleCode.text)
  }

  @Test func codeOnItsPage_isReadOffTheScreen() throws {
    var state = GalleryFeature.State()
    state.page = .pictures
    let store = Store(initialState: state) { GalleryFeature() }
    #expect(
      try scanned(GalleryView(store: store), Self.looks[0], name: "page") == SampleCode.text)
  }

  /// The text that the scanner reads, or an empty string if it finds none.
  private func scanned(_ view: some View, _ look: Look, name: String) throws -> String {
    let size = Size(columns: 120, rows: 40)
    var terminal = InMemoryTerminal(size: size)
    terminal.feed(ViewHost(theme: look.theme, colorDepth: look.depth).render(view, size: size))
    let path = "/tmp/qr-\(getpid())-\(name).pgm"
    defer { unlink(path) }
    let file = try #require(fopen(path, "w"))
    let picture = greyscale(terminal, isDark: look.theme.canvas.background.isDark)
    fwrite(picture, 1, picture.count, file)
    fclose(file)
    let scanner = try PTY("/usr/bin/zbarimg", ["--nodbus", "--quiet", "--raw", path])
    _ = try scanner.waitForExit()
    return scanner.screen.lines.first ?? ""
  }

  /// The screen as a PGM image with 8 × 16 pixels per cell.
  private func greyscale(_ terminal: InMemoryTerminal, isDark: Bool) -> [UInt8] {
    let (width, height) = (8 * terminal.size.columns, 16 * terminal.size.rows)
    var picture = Array("P5 \(width) \(height) 255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        let cell = terminal[column: x / 8, row: y / 16]
        let standard: (ink: UInt8, ground: UInt8) = isDark ? (229, 16) : (31, 255)
        var ink = cell.style.foreground.grey ?? standard.ink
        var ground = cell.style.background.grey ?? standard.ground
        if cell.style.isReversed { swap(&ink, &ground) }
        picture.append(cell.isInked(upperHalf: y % 16 < 8, left: x % 8 < 4) ? ink : ground)
      }
    }
    return picture
  }
}

extension ScreenCell {
  /// Whether a quarter of the cell is covered. This is an approximation for characters other than
  /// blocks.
  fileprivate func isInked(upperHalf: Bool, left: Bool) -> Bool {
    switch text {
    case " ", "": false
    case "█": true
    case "▀": upperHalf
    case "▄": !upperHalf
    default: left
    }
  }
}

extension CellStyle.Color {
  /// The brightness, or `nil` for the terminal's default colour.
  fileprivate var grey: UInt8? {
    let color: Color
    switch self {
    case .standard: return nil
    case .palette(let index): color = .palette(index)
    case .rgb(let red, let green, let blue): color = .rgb(red, green, blue)
    }
    guard let (red, green, blue) = color.components else { return nil }
    let luma: Int = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    return UInt8(luma / 1000)
  }
}

extension Color {
  fileprivate var isDark: Bool { (luminance ?? 0) < 0.18 }
}

import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct QRCodeTests {
  /// Any square works, since the drawing is compared with it.
  private let modules: [[Bool]] = (0..<21).map { y in (0..<21).map { x in (x * y + x) % 3 == 0 } }

  private func frame(_ theme: Theme, _ size: Size, depth: ColorDepth = .trueColor) -> Frame {
    ViewHost(theme: theme, colorDepth: depth).frame(
      QRCode(modules, label: "").frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading),
      size: size)
  }

  /// Whether a module looks dark: drawn if the text colour is dark, otherwise left blank.
  private func isDark(_ frame: Frame, _ x: Int, _ y: Int, isInkDark: Bool) -> Bool {
    let inked =
      switch frame[x, y / 2].text {
      case "█": true
      case "▀": y % 2 == 0
      case "▄": y % 2 == 1
      default: false
      }
    return inked == isInkDark
  }

  @Test func code_isBlackOnWhiteWithItsQuietZone() {
    let frame = frame(.dark, Size(columns: 40, rows: 20))
    for y in 0..<29 {
      for x in 0..<29 {
        let module = (4..<25).contains(x) && (4..<25).contains(y) && modules[y - 4][x - 4]
        #expect(isDark(frame, x, y, isInkDark: true) == module)
        #expect(frame[x, y / 2].style == Style(foreground: .palette(16), background: .palette(231)))
      }
    }
    #expect(frame[29, 0].style == .plain && frame[0, 15].style == .plain)
  }

  @Test func withoutColours_lightModulesAreInkOnADarkGround() {
    let frame = frame(.mono, Size(columns: 40, rows: 20), depth: .none)
    #expect(!isDark(frame, 0, 0, isInkDark: false))
    #expect(isDark(frame, 4, 4, isInkDark: false) == modules[0][0])
    #expect(frame[0, 0].text == "█")
  }

  @Test func inASCII_aModuleTakesTwoCells() {
    let frame = frame(.dark.ascii, Size(columns: 60, rows: 30))
    for y in 0..<29 {
      for x in 0..<58 {
        let module = (8..<50).contains(x) && (4..<25).contains(y) && modules[y - 4][x / 2 - 4]
        #expect((frame[x, y].style.background == .palette(16)) == module)
        #expect(frame[x, y].text == (module ? "#" : " "))
      }
    }
  }

  @Test(arguments: [Size(columns: 28, rows: 20), Size(columns: 40, rows: 14)])
  func code_isNeverCut(_ size: Size) {
    let frame = frame(.dark, size)
    #expect(frame.text.contains("No room for the code"))
    #expect(!frame.text.contains("█") && !frame.text.contains("▀"))
  }

  @Test("With enough room, a module of a QR code is two cells that differ only in background")
  func withRoom_thereAreNoSeams() {
    for theme in [Theme.dark, .light] {
      let frame = frame(theme, Size(columns: 58, rows: 29))
      for y in 0..<29 {
        for x in 0..<58 {
          let module = (8..<50).contains(x) && (4..<25).contains(y) && modules[y - 4][x / 2 - 4]
          let style = frame[x, y].style
          #expect(style.background == .palette(module ? 16 : 231))
          #expect(frame[x, y].text == " " || style.foreground == style.background)
        }
      }
    }
    #expect(frame(.dark, Size(columns: 57, rows: 29))[4, 4].style.background == .palette(231))
    let mono = frame(.mono, Size(columns: 58, rows: 29), depth: .none)
    #expect(mono[0, 0].style.attributes.contains(.reverse))
  }
}

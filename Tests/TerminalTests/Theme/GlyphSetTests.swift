import Foundation
import TerminalTesting
import Testing

@testable import Terminal

@MainActor
struct GlyphSetTests {
  @Test func asciiTheme_drawsNothingElse() {
    let view = ZStack {
      Gallery(input: TextInput("Zoë 日本 👨‍👩‍👧 ❤️"))
      Sheet("Tasten · Übersicht") {
        VStack {
          KeySheet()
          Heatmap(rows: ["Mo"], cells: [.filled(.calm), .hollow(.danger)])
          Gauge("Füllung", value: 0.4)
          ProgressBar(value: 0.3, form: .block)
          Picker("‹›", choices: ["ä"], selected: 0) { _ in }
          Divider(title: "Ω")
        }
      }
      Toast("✓ saved …")
    }
    for size in [Size(columns: 100, rows: 30), Size(columns: 30, rows: 12)] {
      let frame = FrameSnapshot.frame(of: view, size: size, theme: .dark.ascii)
      for cell in frame.cells {
        #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
      }
    }
  }

  @Test(arguments: [
    ("●", "*"), ("◐", "~"), ("▲", "^"), ("‖", "="), ("◌", "o"), ("╭", "+"), ("│", "|"),
    ("━", "="), ("─", "-"), ("✓", "+"), ("✗", "x"), ("⚑", "&"), ("↘", "\\"), ("é", "e"), ("ù", "u"),
    ("Ω", "O"), ("日", "?"), ("a", "a"),
  ])
  func form_isTheNearest(unicode: Unicode.Scalar, ascii: Unicode.Scalar) {
    #expect(GlyphSet.ascii.shown(unicode) == ascii)
    #expect(GlyphSet.unicode.shown(unicode) == unicode)
  }

  @Test("In ASCII, an accented Latin letter is shown as its base letter")
  func letters() {
    // Latin-1 and Latin Extended-A letters that decompose into a letter and an accent.
    let accented = (0xC0...0x17F).compactMap(Unicode.Scalar.init).filter {
      Self.base($0) != $0 && GlyphSet.ascii.shown($0) != "?"
    }
    #expect(accented.count > 80)
    #expect(accented.filter { GlyphSet.ascii.shown($0) != Self.base($0) } == [])
    #expect(
      String(String.UnicodeScalarView("ÅkermanŁØÐ".unicodeScalars.map(GlyphSet.ascii.shown)))
        == "AkermanLOD")
  }

  private static func base(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
  }

  @Test("In ASCII, a truncated text has three dots at the cut")
  func cut() {
    let view = VStack(alignment: .leading) {
      Text("Grace Brewster Murray Hopper").lineLimit(1)
      Text("Penicillin allergy, and a heart that stops").lineLimit(2)
      Text("Grace Brewster Murray Hopper").truncation(.middle).lineLimit(1)
    }
    let size = Size(columns: 16, rows: 4)
    let lines = { FrameSnapshot.frame(of: view, size: size, theme: $0).lines }
    #expect(
      lines(.dark.ascii) == [
        "Grace Brewste...", "Penicillin", "allergy, and ...", "Grace B...Hopper",
      ])
    #expect(
      lines(.dark) == [
        "Grace Brewster …", "Penicillin", "allergy, and a…", "Grace Br… Hopper",
      ])
  }

  @Test(
    arguments: [
      (["LANG": "C"], GlyphSet.ascii), (["LANG": "de_DE.ISO-8859-1"], .ascii),
      (["LANG": "en_US"], .ascii),
      (["LC_ALL": "POSIX", "LANG": "C.UTF-8"], .ascii),
      (["LC_CTYPE": "C.utf8", "LANG": "C"], .unicode),
      (["LC_ALL": "", "LANG": "en_GB.UTF-8"], .unicode), ([:], .unicode),
      (["TERM": "linux", "LANG": "C.UTF-8"], .console), (["TERM": "linux"], .console),
      (["TERM": "linux", "LANG": "C"], .ascii),
    ] as [([String: String], GlyphSet)])
  func aLocaleThatIsNotOfUTF8_showsASCII(environment: [String: String], glyphs: GlyphSet) {
    #expect(GlyphSet(environment: environment) == glyphs)
  }

  @Test(
    "The Linux console shows letters and square boxes, and each status mark as its own character")
  func console() {
    let host = ViewHost(theme: .dark)
    host.glyphs = .console
    let view = VStack(alignment: .leading) {
      Text("✓ Bo Nyström ✉ 日本 ◐ ½")
      Text("Grace Brewster Murray Hopper").lineLimit(1)
    }.border()
    #expect(
      host.frame(view, size: Size(columns: 26, rows: 4)).lines == [
        "┌────────────────────────┐", "│+ Bo Nyström @ ? ?  ~ ½ │", "│Grace Brewster Murray...│",
        "└────────────────────────┘",
      ])
    for mark in "●◐▲‖◌○!✓✗…⚑✉↙↗▸▾╭━┃▏▕▪▫" {
      let shown = GlyphSet.console.shown(mark.unicodeScalars.first!)
      #expect(shown.isASCII || "┌".unicodeScalars.contains(shown), "\(mark)")
    }
    let marks = ["●", "◐", "▲", "‖", "◌", "!", "✓", "✗"] as [Unicode.Scalar]
    #expect(Set(marks.map(GlyphSet.console.shown)).count == marks.count)
    #expect("Łódź Ωμέγα Жук".unicodeScalars.allSatisfy { GlyphSet.console.shown($0) == $0 })
  }

  @Test func aHostOfFewCharacters_drawsNoOthers() {
    let host = ViewHost()
    host.glyphs = .ascii
    host.theme = .light
    let frame = host.frame(Text("✓ Zoë").border(), size: Size(columns: 9, rows: 3))
    #expect(frame.text.allSatisfy(\.isASCII) && frame.text.contains("|+ Zoe"))
    #expect(GlyphSet.ascii.shown("● 2 – Zoë") == "* 2 - Zoe")
  }
}

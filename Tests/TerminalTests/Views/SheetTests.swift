import TerminalTesting
import Testing

@testable import Terminal

@MainActor @Suite struct SheetTests {
  private let size = Size(columns: 44, rows: 12)

  private func dots() -> some View {
    VStack {
      ForEach(0..<11) { _ in Text(String(repeating: "·", count: 44)) }
      HelpBar()
    }
    .command("q", "Quit") {}
  }

  private func lines(_ view: some View) -> [String] { FrameSnapshot.lines(of: view, size: size) }

  @Test(
    "A sheet clears one cell around itself and leaves the help bar visible, even at full height")
  func margin() {
    let shown = lines(
      dots().overlay { Sheet("S", width: 10) { Text("x") }.command("esc", "Close") {} })
    #expect(shown.first { $0.contains("S") } == "················ ╭ S ─────╮ ················")
    #expect(shown.count { $0 == "················            ················" } == 2)
    let high = lines(
      dots().overlay {
        Sheet("S", width: 10, height: 11) { Text("x") }.command("esc", "Close") {}
      })
    #expect(high.first?.contains("╭ S") == true && high[10].contains("╰") == true)
    #expect(high.last == " Esc Close")
  }

  @Test("A sheet over another sheet hides the lower sheet, and its title shows the whole path")
  func path() {
    let inner = Sheet("Password", width: 36) { Text("new") }.command("esc", "Back") {}
    let outer = Sheet("Security", width: 40) { Text("a\nb\nc\nd\ne") }
      .command("esc", "Close") {}
    let view = dots().overlay { outer.overlay { inner } }.sheetPathRoot("Profile")
    let shown = lines(view)
    #expect(shown.contains { $0.contains("╭ Profile › Security › Password ───╮") })
    #expect(!shown.contains { $0.contains("│  a") })
    #expect(shown.last == " Esc Back")
    #expect(
      lines(dots().overlay { outer }.sheetPathRoot("Profile")).contains {
        $0.contains("╭ Security ─")
      })
    // A path longer than the width of the sheet is cut at the front.
    let narrow = Sheet("Password", width: 24) { Text("new") }
    let cut = lines(dots().overlay { outer.overlay { narrow } }.sheetPathRoot("Profile"))
    #expect(cut.contains { $0.contains("╭ Security › Password ─╮") })
  }

  @Test("A dialog over a sheet leaves the sheet visible")
  func dialog() {
    let shown = FrameSnapshot.lines(
      of: dots().overlay {
        Sheet("Form", width: 66, height: 16) { Text("typed") }
        Dialog(title: "Discard?", message: "Sure?", buttons: [DialogButton("Yes", key: "y") {}])
      }, size: Size(columns: 70, rows: 20))
    #expect(shown.contains { $0.contains("╭ Form") })
    #expect(shown.contains { $0.contains("╭ Discard? ") })
  }

  @Test(
    "Every cell of a full-screen sheet has the same background and foreground colour",
    arguments: [Theme.dark, .light, .highContrast, .mono, .ansi16Dark, .ansi16Light])
  func fullScreen(_ theme: Theme) {
    let view = dots().overlay {
      FullScreenSheet("Alarm") { _ in
        VStack {
          Text("danger").foreground(.danger)
          Text("dim").foreground(.dim)
          ProgressBar(value: 0.5, role: .alarm)
        }
      }
      .command("esc", "Stop") {}
    }
    let frame = ViewHost(theme: theme).frame(view, size: size)
    #expect(frame.lines[0].allSatisfy { $0 == "·" } && frame.lines[11] == " Esc Stop")
    let ground = theme.filled(.alarm)
    for row in 1..<11 {
      for column in 0..<44 {
        let style = frame[column, row].style
        #expect(style.background == ground.background && style.foreground == ground.foreground)
        #expect(style.attributes.contains(.reverse) == ground.attributes.contains(.reverse))
      }
    }
  }
}

@MainActor @Suite struct PaletteOfPlacesTests {
  private func home(_ done: @escaping @MainActor (String) -> Void) -> some View {
    Text("home").command("c", "Check in") { done("check in") }
  }

  private func view(
    _ query: String, recent: [String] = [], done: @escaping @MainActor (String) -> Void = { _ in }
  ) -> some View {
    let other = Text("other")
      .command("t", "Settings", keywords: ["theme", "colour"]) { done("settings") }
      .command("d", "Delete", isAboutSelection: true) { done("delete") }
      .command("enter", "Open") { done("open") }
      .command("Check in") { done("another check-in") }
    let size = Size(columns: 70, rows: 20)
    return VStack {
      home(done)
      CommandPalette(
        query: TextInput(query), position: ListPosition(),
        otherCommands: other.declaredCommands(size: size).map { PaletteCommand($0, in: "Other") },
        recent: recent, onEdit: { _ in }, onMove: { _ in }, onClose: {},
        onUse: { done("used \($0)") })
    }
  }

  private func rows(_ query: String, recent: [String] = []) -> [String] {
    let names = ["Check in", "Settings", "Delete", "Open"]
    return FrameSnapshot.lines(of: view(query, recent: recent), size: Size(columns: 70, rows: 20))
      .compactMap { line in names.first(where: line.contains) }
  }

  @Test(
    "PAL-1: the palette finds commands of other places by title or keyword, and names the place")
  func elsewhere() {
    #expect(rows("theme") == ["Settings"])
    #expect(rows("") == ["Check in", "Settings"], "No selection is seen elsewhere.")
    #expect(rows("delete") == [])
    let text = FrameSnapshot.lines(of: view("theme"), size: Size(columns: 70, rows: 20))
    #expect(text.contains { $0.contains("Settings") && $0.contains("Other") })
  }

  @Test("The palette's cursor is in the line of the search field")
  func cursor() {
    let frame = FrameSnapshot.frame(of: view("se"), size: Size(columns: 70, rows: 20))
    let row = frame.lines.firstIndex { $0.contains(" se ") }
    #expect(row != nil && frame.cursor?.row == row)
  }

  @Test("PAL-1: the palette lists recently used commands first among equal matches")
  func recent() {
    #expect(rows("", recent: ["Settings"]) == ["Settings", "Check in"])
    #expect(rows("check", recent: ["Settings"]) == ["Check in"])
  }

  @Test("Whatever was typed before, the palette shows what is found now")
  func typing() {
    let host = ViewHost()
    let size = Size(columns: 70, rows: 20)
    for query in ["", "s", "se", "x", "", "theme", "check", ""] {
      for glyphs in [GlyphSet.unicode, .unicode, .ascii] {
        let fresh = ViewHost()
        (host.glyphs, fresh.glyphs) = (glyphs, glyphs)
        let frame = host.frame(view(query), size: size)
        #expect(frame == fresh.frame(view(query), size: size), "\(query)")
      }
    }
  }

  @Test("PAL-1: choosing a command in the palette reports the command as used, then runs it")
  func use() {
    var done: [String] = []
    let host = ViewHost()
    _ = host.frame(view("colour", done: { done.append($0) }), size: Size(columns: 70, rows: 20))
    host.dispatch(.key("enter"))
    #expect(done == ["used Settings", "settings"])
  }
}

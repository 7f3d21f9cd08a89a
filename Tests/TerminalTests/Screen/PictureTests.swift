import TerminalTesting
import Testing

@testable import Terminal

/// Tests of pictures on a terminal that draws them itself: their position, and that they leave
/// nothing behind.
@MainActor
struct PictureTests {
  private let size = Size(columns: 20, rows: 8)
  /// Four quadrants: red, green, blue and transparent.
  private let pixels = PixelBuffer(
    width: 20, height: 20,
    rgba: (0..<400).flatMap { index -> [UInt8] in
      switch (index % 20 < 10, index / 20 < 10) {
      case (true, true): [255, 0, 0, 255]
      case (false, true): [0, 255, 0, 255]
      case (true, false): [0, 0, 255, 255]
      case (false, false): [0, 0, 0, 0]
      }
    })

  @MainActor
  private final class Window {
    let host = ViewHost()
    var terminal: InMemoryTerminal
    let size: Size

    init(_ size: Size, _ feature: ScreenFeatures) {
      self.size = size
      terminal = InMemoryTerminal(size: size)
      host.features = [feature, .backgroundErase, .repeatGlyph, .insertLines]
      host.cellPixels = Size(columns: 10, rows: 20)
    }

    @discardableResult
    func show(_ view: some View) -> [UInt8] {
      let bytes = host.render(view, size: size)
      terminal.feed(bytes)
      #expect(terminal.unknown.isEmpty)
      return bytes
    }
  }

  private func picture(column: Int = 2, row: Int = 1) -> some View {
    Picture(pixels, label: "four quarters").frame(width: 4, height: 2)
      .padding(.leading, column).padding(.top, row)
      .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
  }

  nonisolated static let kinds: [ScreenFeatures] = [.kittyGraphics, .sixel]

  @Test(arguments: kinds) func picture_standsAtItsPlace(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(picture())
    #expect(
      window.terminal.pictures.map(\.rect) == [Rect(column: 2, row: 1, columns: 4, rows: 2)])
    #expect(window.terminal.text == "", "Half blocks stand under the picture.")
  }

  @Test func kitty_getsThePixelsAsTheyAre() {
    let window = Window(size, .kittyGraphics)
    window.show(picture())
    #expect(window.terminal.pictures.first?.pixels == pixels.bytes)
  }

  @Test func sixel_hasTheColoursInThePixelsOfItsCells() throws {
    let window = Window(size, .sixel)
    window.show(picture())
    let shown = try #require(window.terminal.pictures.first)
    #expect((shown.width, shown.height) == (40, 40))
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(shown.pixels[4 * (y * 40 + x)..<4 * (y * 40 + x) + 4])
    }
    #expect(pixel(5, 5) == [255, 0, 0, 255])
    #expect(pixel(35, 5) == [0, 255, 0, 255])
    #expect(pixel(5, 35) == [0, 0, 255, 255])
    // Transparent pixels show the background, which is nearly black.
    #expect(pixel(35, 35).prefix(3).allSatisfy { $0 <= 51 })
  }

  @Test(arguments: kinds) func steadyPicture_isNotSentAgain(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(picture())
    #expect(window.show(picture()).isEmpty)
    let bytes = window.show(picture().overlay(alignment: .bottomLeading) { Text("hi") })
    #expect(bytes.count < 40)
    #expect(window.terminal.pictures.count == 1)
  }

  @Test(arguments: kinds) func movedPicture_leavesNothingBehind(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(picture())
    window.show(picture(column: 8, row: 3))
    #expect(
      window.terminal.pictures.map(\.rect) == [Rect(column: 8, row: 3, columns: 4, rows: 2)])
    window.show(Text("gone"))
    #expect(window.terminal.pictures.isEmpty)
    #expect(window.terminal.lines.filter { !$0.isEmpty } == ["gone"])
  }

  @Test(arguments: kinds) func coveredPicture_isDrawnWithHalfBlocks(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    let covered = picture().overlay(alignment: .topLeading) {
      Text("over").background(.field).padding(.top, 1).padding(.leading, 4)
    }
    window.show(covered)
    #expect(window.terminal.pictures.isEmpty)
    #expect(window.terminal.contains("over"))
    window.show(picture())
    #expect(window.terminal.pictures.count == 1)
    window.show(covered)
    #expect(window.terminal.pictures.isEmpty)
    #expect(window.terminal[column: 2, row: 1].style.background == .rgb(255, 0, 0))
    #expect(window.terminal[column: 2, row: 2].style.background == .rgb(0, 0, 255))
  }

  @Test(arguments: kinds) func pictureBeneathASheet_isNotShown(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(picture())
    window.show(
      ZStack {
        picture()
        Sheet("S", width: 8, height: 3) { Text("x") }
      })
    #expect(window.terminal.pictures.isEmpty)
  }

  @Test(arguments: kinds) func clippedPicture_isDrawnWithHalfBlocks(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(
      ScrollView(offset: 1, onScroll: { _ in }) {
        Picture(pixels, label: "").frame(width: 4, height: 2)
        Text("below")
      }
      .frame(height: 2))
    #expect(window.terminal.pictures.isEmpty)
  }

  @Test(arguments: kinds) func repaint_showsThePictureAnew(_ kind: ScreenFeatures) {
    let window = Window(size, kind)
    window.show(picture())
    window.terminal.feed("\u{1B}[2;3HXXXX")
    window.host.invalidate()
    window.show(picture())
    #expect(window.terminal.pictures.count == 1)
    #expect(window.terminal.text == "")
  }

  @Test func sixelInTheLastRow_wouldScrollAndIsNotSent() {
    let window = Window(size, .sixel)
    window.show(picture(row: 6))
    #expect(window.terminal.pictures.isEmpty)
    #expect(window.terminal[column: 2, row: 6].style.background == .rgb(255, 0, 0))
  }

  /// A cluster of disputed width may have covered adjacent cells, which are therefore rewritten.
  @Test func sixelBesideADisputedCluster_isSentAgain() {
    let window = Window(size, .sixel)
    func view(_ text: String) -> some View {
      ZStack(alignment: .topLeading) {
        picture()
        Text(text).padding(.top, 1)
      }
      .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    }
    window.show(view("ab"))
    window.show(view("👩‍🚀"))
    #expect(window.terminal.pictures.count == 1)
  }

  @Test func withoutPictures_halfBlocksHaveTheColoursThatThereAre() {
    let view = Picture(pixels, label: "")
    let cell = { (depth: ColorDepth, theme: Theme) in
      ViewHost(theme: theme, colorDepth: depth).frame(view, size: Size(columns: 2, rows: 1))[0, 0]
    }
    #expect(cell(.trueColor, .dark).text == "▀")
    #expect(cell(.trueColor, .dark).style.foreground == .rgb(255, 0, 0))
    #expect(cell(.trueColor, .dark).style.background == .rgb(0, 0, 255))
    let red = cell(.palette256, .dark).style.foreground.reduced(to: .palette256)
    #expect(red == .palette(196) || red == .palette(160))
    #expect(cell(.ansi16, .dark).style.foreground.reduced(to: .ansi16) != .standard)
    #expect(["░", "▒"].contains(cell(.none, .dark).text))
    #expect(cell(.none, .dark).style.foreground == .standard)
    #expect(cell(.trueColor, .dark.ascii).text.unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test func halfBlocks_haveTwoRowsOfPixelsEach() {
    let colors = (1...4).map { Color.rgb(UInt8($0 * 60), 0, 0) }
    let stripes = PixelBuffer(width: 1, height: 4) { _, y in (UInt8((y + 1) * 60), 0, 0) }
    let frame = FrameSnapshot.frame(
      of: Picture(stripes, label: ""), size: Size(columns: 1, rows: 2))
    #expect(frame.cells.map(\.style.foreground) == [colors[0], colors[2]])
    #expect(frame.cells.map(\.style.background) == [colors[1], colors[3]])
  }

  @Test func picture_keepsItsProportions() {
    let wide = PixelBuffer(width: 40, height: 10) { _, _ in (1, 2, 3) }
    let frame = FrameSnapshot.frame(
      of: Picture(wide, label: ""), size: Size(columns: 16, rows: 9))
    let painted = frame.cells.filter { $0.style.background == .rgb(1, 2, 3) }
    #expect(painted.count == 16 * 2)
  }
}

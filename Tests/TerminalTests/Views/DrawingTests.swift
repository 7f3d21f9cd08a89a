import Terminal
import TerminalTesting
import Testing

/// Views that draw their own cells.
@MainActor
struct DrawingTests {
  private func meter(_ share: Double) -> some View {
    Drawing(ideal: Size(columns: 8, rows: 1)) { canvas, rect in
      canvas.fill(rect, with: "░", style: canvas.style(.dim))
      canvas.fill(
        Rect(column: 0, row: 0, columns: Int(share * Double(rect.columns)), rows: 1), with: "█")
    }
    .accessibilityLabel("\(Int(share * 100)) percent")
  }

  @Test("A drawing takes the space that is offered, which a frame restricts")
  func sizes() {
    expectFrame(meter(0.5), size: Size(columns: 4, rows: 1), matches: "██░░")
    expectFrame(
      HStack(spacing: 1) {
        Text("a")
        meter(0.25).frame(width: 8)
        Text("b")
      }, size: Size(columns: 14, rows: 1), matches: "a ██░░░░░░ b")
  }

  @Test("Positions count from the drawing's top left, and what is outside is cut off")
  func clipping() {
    let drawing = Drawing(ideal: .zero) { canvas, rect in
      canvas.line(from: Point(column: -3, row: 1), to: Point(column: 99, row: 1))
      canvas.line(from: Point(column: 1, row: -9), to: Point(column: 1, row: 9))
      canvas.line(from: .zero, to: Point(column: 2, row: 2))
      canvas.text("日本語", at: Point(column: 2, row: 0))
      canvas.clipped(to: Rect(column: 0, row: 2, columns: 1, rows: 1))
        .text("xyz", at: Point(column: 0, row: 2))
      canvas.cell("*", at: Point(column: 3, row: 2))
      canvas.cell("*", at: Point(column: 4, row: 5))
      #expect(rect == Rect(column: 0, row: 0, columns: 5, rows: 3))
    }
    expectFrame(
      drawing.border(), size: Size(columns: 7, rows: 5),
      matches: """
        ╭─────╮
        │ │日 │
        │─│───│
        │x│ * │
        ╰─────╯
        """)
  }

  @Test("Whatever is drawn, no control character and no half of a wide one reaches the terminal")
  func hostile() {
    let host = ViewHost()
    let drawing = Drawing(ideal: .zero) { canvas, rect in
      canvas.fill(rect, with: "\u{1B}")
      canvas.cell("\u{9B}", at: .zero)
      canvas.cell("日", at: Point(column: 5, row: 0))
      canvas.cell("👩‍👩‍👧", at: Point(column: 4, row: 0))
      canvas.fill(Rect(column: 2, row: 0, columns: 2, rows: 1), with: "語")
      canvas.text("\u{1B}]0;x\u{7}", at: Point(column: 0, row: 1))
    }
    let size = Size(columns: 6, rows: 2)
    #expect(host.frame(drawing, size: size).lines[0] == "�␛")
    let bytes = String(decoding: ViewHost().render(drawing, size: size), as: UTF8.self)
    #expect(!bytes.contains("\u{1B}]") && !bytes.contains("\u{7}") && !bytes.contains("\u{9B}"))
  }

  @Test("A drawing is read aloud by its label, and without one not at all")
  func spoken() {
    #expect(ViewHost().spokenLines(of: meter(0.5)) == ["50 percent"])
    #expect(ViewHost().spokenLines(of: Drawing(ideal: .zero) { _, _ in }) == [])
  }

  @Test("onMouse gets every event, relative to the view, before the gestures in it")
  func mouse() {
    var events: [MouseEvent] = []
    var (taps, takes) = (0, true)
    let view = VStack(alignment: .leading, spacing: 0) {
      Text("above")
      Text("here").onTap { taps += 1 }.onMouse {
        events.append($0)
        return takes
      }
    }
    let host = ViewHost()
    _ = host.render(view, size: Size(columns: 8, rows: 3))
    #expect(host.dispatch(.mouse(MouseEvent(.move, at: Point(column: 2, row: 1)))))
    #expect(host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 3, row: 1)))))
    #expect(taps == 0)
    takes = false
    #expect(host.dispatch(.mouse(MouseEvent(.press(.left), at: Point(column: 0, row: 1)))))
    #expect(taps == 1)
    #expect(!host.dispatch(.mouse(MouseEvent(.wheelUp, at: Point(column: 0, row: 0)))))
    #expect(events.map(\.position) == [2, 3, 0].map { Point(column: $0, row: 0) })
  }
}

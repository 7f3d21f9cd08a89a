import AllocationCounter
import Testing

@testable import Terminal

/// Once the buffers have grown, comparing and writing frames must not allocate on the heap.
struct AllocationTests {
  /// A change that a key or a timer can cause.
  enum Change: CaseIterable {
    case nothing, selection, scrolling, page, time, wideRows
  }

  @Test func theCounterCounts() {
    let before = allocation_count()
    let array = [Int](repeating: 1, count: Int.random(in: 100...200))
    #expect(array.count >= 100 && allocation_count() > before)
  }

  @Test(arguments: Change.allCases, [true, false])
  func aSteadyFrame_allocatesNothing(change: Change, isModern: Bool) {
    let screen = Screen()
    if isModern {
      screen.features = [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines]
    }
    var contacts = ContactScreen(selected: 43)
    for frame in 0..<30 {
      switch change {
      case .nothing: break
      case .selection: contacts.selected = 20 + frame % 2
      case .scrolling: contacts.move(by: 1)
      case .page: contacts.move(by: frame % 2 == 0 ? 44 : -44)
      case .time: contacts.time += 1
      case .wideRows: break
      }
      screen.begin(size: ContactScreen.size)
      let canvas = Canvas(screen: screen, glyphs: .unicode)
      contacts.draw(on: canvas)
      if change == .wideRows {
        for row in 0..<40 {
          let text = frame % 2 == 0 ? "日本語 e\u{301} 👍🏽 ━━━" : "한국 👨‍👩‍👧‍👦 ░░░ é"
          canvas.write(text, at: Point(column: row, row: row), style: .plain)
        }
      }
      let before = allocation_count()
      let isEmpty = screen.present(cursor: nil, isCursorVisible: false).isEmpty
      let count = allocation_count() - before
      #expect(isEmpty == (change == .nothing && frame > 0))
      // The first frames grow the buffers.
      if frame >= 10 { #expect(count == 0, "frame \(frame)") }
    }
  }
}

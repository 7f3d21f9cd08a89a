import Terminal
import Testing

/// A mouse button that is held on a view.
@MainActor struct HoldTests {
  /// What the view received.
  private final class Told {
    var all: [Bool] = []
  }

  private let host = ViewHost()
  private let told = Told()

  private func send(_ kind: MouseEvent.Kind, column: Int = 5) {
    show()
    _ = host.dispatch(.mouse(MouseEvent(kind, at: Point(column: column, row: 0))))
  }

  private func show() {
    // While the button is held, the text under the mouse is gone.
    let text = told.all.last == true ? "x" : "Hold here"
    let view = Text(text).onHold { [told] in told.all.append($0) }
      .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    _ = host.render(view, size: Size(columns: 20, rows: 3))
  }

  @Test("ALT-2: releasing the button reports the end of a hold once, even if the view has changed")
  func release() {
    send(.press(.left))
    #expect(told.all == [true])
    send(.release(.left))
    send(.release(.left))
    #expect(told.all == [true, false])
  }

  @Test("ALT-2: moving the mouse off the view ends the hold, and so does losing the focus")
  func leave() {
    send(.press(.left))
    send(.drag(.left), column: 8)
    #expect(told.all == [true])
    send(.drag(.left), column: 15)
    #expect(told.all == [true, false])
    send(.press(.left))
    _ = host.dispatch(.focus(false))
    #expect(told.all == [true, false, true, false])
  }
}

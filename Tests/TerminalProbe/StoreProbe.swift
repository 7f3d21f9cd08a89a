import Composable
import Terminal
import TerminalComposable

/// The shortest program with a store: `terminal-probe store`.
struct StepsFeature: Reducer {
  struct State: Equatable, Sendable {
    var steps = 0
    var isFinished = false
  }

  enum Action: Equatable, Sendable {
    case stepped
    case quitButtonTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .stepped: state.steps += 1
      case .quitButtonTapped: state.isFinished = true
      }
      return .none
    }
  }
}

@MainActor
func runStore() throws {
  let store = Store(initialState: StepsFeature.State()) { StepsFeature() }
  let application = TerminalApplication(store: store, until: \.isFinished) { store in
    VStack(alignment: .leading) {
      Text("steps \(store.steps)")
      Meter(share: Double(store.steps) / 10)
        .onMouse { mouse in
          guard case .press = mouse.kind else { return false }
          for _ in 0...mouse.position.column { store.send(.stepped) }
          return true
        }
    }
    .onKey { press in
      guard press.key == .character("s") else { return false }
      store.send(.stepped)
      return true
    }
    .command("q", "Quit") { store.send(.quitButtonTapped) }
    .command("t", "Later") { Task { store.send(.stepped) } }
  }
  try application.run().endProcess()
}

/// A widget of one's own, as in docs/libraries.md.
struct Meter: View {
  let share: Double

  var body: some View {
    Drawing(ideal: Size(columns: 10, rows: 1)) { canvas, rect in
      let full = Int((share * Double(rect.columns)).rounded())
      canvas.fill(rect, with: "░", style: canvas.style(.dim))
      canvas.fill(Rect(column: 0, row: 0, columns: full, rows: rect.rows), with: "█")
    }
    .frame(width: 10, height: 1)
    .accessibilityLabel("\(Int(share * 100)) percent")
  }
}

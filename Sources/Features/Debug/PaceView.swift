import Composable
import Domain
import Terminal

/// A line above the app that says what time it is in the demo, how fast it goes, and how to change
/// that.
struct PaceView: View {
  private let store: StoreOf<PaceFeature>
  private let app: DebugView

  init(store: StoreOf<PaceFeature>, app: DebugView) {
    self.store = store
    self.app = app
  }

  var body: some View {
    SizeReader { size in
      VStack(spacing: 0) {
        // In a small window the app needs every line.
        if size.rows > AppView.smallest.rows { PaceLine(store: store) }
        app.frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
      }
    }
    .command("+", "Faster", isHidden: true, scope: .global) { store.send(.fasterButtonTapped) }
    .command("-", "Slower", isHidden: true, scope: .global) { store.send(.slowerButtonTapped) }
    .command("0", stopTitle, isHidden: true, scope: .global) { store.send(.stopButtonTapped) }
  }

  private var stopTitle: String { store.isStopped ? "Let the time go on" : "Stop the time" }
}

struct PaceLine: View {
  let store: StoreOf<PaceFeature>

  var body: some View {
    HStack(spacing: 2) {
      Text(" Demo").bold().foreground(.accent)
      Text("sample people; nothing is stored or sent").foreground(.dim)
      Spacer()
      Text(clockText).bold()
      HStack(spacing: 1) {
        Text("-").bold().foreground(.accent).onTap { store.send(.slowerButtonTapped) }
        Text(speedText).bold().foreground(store.isStopped ? .warning : .text)
        Text("+").bold().foreground(.accent).onTap { store.send(.fasterButtonTapped) }
      }
      (Text("0").bold().foreground(.accent)
        + Text(store.isStopped ? " go on " : " stop ").foreground(.dim))
        .onTap { store.send(.stopButtonTapped) }
    }
    .lineLimit(1).frame(maxWidth: .max).background(.inactiveSelection)
  }

  private var clockText: String {
    let time = store.calendar.time(of: store.now)
    return "\(time.weekdayName) \(time.clock)"
  }

  private var speedText: String { store.isStopped ? "stopped" : "×\(store.actualSpeed)" }
}

import Composable
import Terminal

/// The number, and what the keys do.
struct CounterView: View {
  let store: StoreOf<CounterFeature>

  var body: some View {
    VStack(alignment: .center) {
      Spacer()
      VStack(alignment: .center, spacing: 1) {
        BigText("\(store.count)")
        Text(store.isTicking ? "counting" : "stopped").foreground(.dim)
      }
      .padding(.horizontal, 4)
      .border(title: "Counter", role: store.isTicking ? .accent : .border)
      Spacer()
      HelpBar()
    }
    .command("up", "Count up") { store.send(.incrementButtonTapped) }
    .command("down", "Count down") { store.send(.decrementButtonTapped) }
    .command("space", store.isTicking ? "Stop" : "Start") { store.send(.timerButtonTapped) }
    .command("q", "Quit") { store.send(.quitButtonTapped) }
  }
}

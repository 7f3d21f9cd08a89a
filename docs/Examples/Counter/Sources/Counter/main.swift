import Composable
import Terminal

let store = Store(initialState: CounterFeature.State()) { CounterFeature() }
let application = TerminalApplication(device: TerminalDevice()) { _ in CounterView(store: store) }

// Told once per turn, when the state has changed.
let observation = store.observe {
  if store.isFinished { application.stop() } else { application.setNeedsDisplay() }
}
try application.run().endProcess()

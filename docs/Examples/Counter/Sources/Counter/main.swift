import Composable
import Terminal

let store = Store(initialState: CounterFeature.State()) { CounterFeature() }
let application = TerminalApplication(device: TerminalDevice()) { _ in CounterView(store: store) }

// Called once in each turn that changed the state.
let observation = store.observe {
  if store.isFinished { application.stop() } else { application.setNeedsDisplay() }
}
try application.run().endProcess()

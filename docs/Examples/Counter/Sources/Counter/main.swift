import Composable
import Terminal
import TerminalComposable

let store = Store(initialState: CounterFeature.State()) { CounterFeature() }
let application = TerminalApplication(store: store, until: \.isFinished) { CounterView(store: $0) }
try application.run().endProcess()

import Composable
import Terminal
import TerminalComposable

let store = Store(initialState: ChatFeature.State()) { ChatFeature() }
let application = TerminalApplication(store: store, until: \.isFinished) { ChatView(store: $0) }
try application.run().endProcess()

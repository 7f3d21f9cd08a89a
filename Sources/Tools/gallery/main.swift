import Composable
import Glibc
import Terminal

// Shows every view of `Terminal` live, drawn from a store as in the app: `swift run gallery`.
let store = Store(initialState: GalleryFeature.State()) { GalleryFeature() }
let application = TerminalApplication(
  device: TerminalDevice(options: TerminalOptions(title: "Gallery"))
) { _ in
  GalleryView(store: store)
}
let dress = {
  let theme = store.theme.theme(isASCII: store.isASCII)
  let terminal = application.capabilities
  application.host.theme =
    terminal.isComplete ? theme.adapted(toBackground: terminal.backgroundColor) : theme
  application.host.reducesMotion = store.reducesMotion
  application.setNeedsDisplay()
}
dress()
application.onCapabilities = { _ in dress() }
let observation = store.observe {
  if store.isFinished { application.stop() } else { dress() }
}
store.send(.started)
do throws(TerminalError) {
  try application.run().endProcess()
} catch {
  let message = "\(error)\n"
  _ = write(STDERR_FILENO, message, message.utf8.count)
  exit(1)
}

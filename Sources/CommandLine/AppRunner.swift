import Clients
import Composable
import Features
import Terminal

/// Opens the app on the terminal and runs it until it is left.
@MainActor
struct AppRunner {
  let appearance: Appearance
  /// Fills the clients.
  let dependencies: DependencyValues
  let console: Console

  /// Blocks the main thread.
  func run() -> ExitCode {
    let store = Store(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0 = dependencies
    }
    let application = TerminalApplication(
      device: TerminalDevice(options: appearance.options), colorDepth: appearance.colorDepth
    ) { _ in
      AppView(store: store)
    }
    let depth = application.host.colorDepth
    application.host.theme = appearance.theme(isDark: nil, depth: depth)
    application.onCapabilities = { capabilities in
      application.host.theme = appearance.theme(isDark: capabilities.isDark, depth: depth)
      application.setNeedsDisplay()
    }
    application.onResume = { store.send(.resumed) }
    let observation = store.observe {
      if store.isFinished { application.stop() } else { application.setNeedsDisplay() }
    }
    defer { observation.cancel() }
    store.send(.started)
    do throws(TerminalError) {
      try application.run().endProcess()
      return .ok
    } catch {
      console.complain(
        "\(error) Use the commands instead: lifesignal --help.")
      return .error
    }
  }
}

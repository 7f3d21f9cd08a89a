import Clients
import Composable
import Domain
import Features
import Glibc
import Terminal

/// Shows the app on the terminal until the person leaves it.
@MainActor
struct AppRunner {
  let appearance: AppearanceOptions
  let provide: StoreAccess.ClientProvider

  /// Takes the main thread until the end; a signal that ends the app ends the process.
  func run() throws(CommandFailure) {
    // Monitors that end are not waited for, and shall not remain as zombies.
    signal(SIGCHLD, SIG_IGN)
    let store = Store(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      provide(&$0)
    }
    let application = TerminalApplication(
      device: TerminalDevice(options: appearance.terminalOptions),
      colorDepth: appearance.color.depth
    ) { _ in
      AppView(store: store)
    }
    let depth = application.host.colorDepth
    let dress = {
      application.host.theme = appearance.theme(
        chosen: store.main?.snapshot.theme ?? .auto, isDark: application.capabilities.isDark,
        depth: depth)
      application.setNeedsDisplay()
    }
    dress()
    application.onCapabilities = { _ in dress() }
    application.onResume = { store.send(.resumed) }
    let observation = store.observe {
      if store.isFinished { application.stop() } else { dress() }
    }
    defer { observation.cancel() }
    store.send(.started)
    do throws(TerminalError) {
      try application.run().endProcess()
    } catch {
      throw CommandFailure(
        "\(error)", advice: "The commands work without one: try lifesignal --help.")
    }
  }
}

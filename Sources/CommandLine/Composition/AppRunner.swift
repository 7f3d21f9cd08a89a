import Clients
import Composable
import Domain
import Features
import Glibc
import QRCodes
import Terminal

/// Shows the app on the terminal until the person leaves it.
@MainActor
struct AppRunner {
  let appearance: AppearanceOptions
  let debugging: DebugOptions
  let provide: StoreAccess.ClientProvider

  /// Takes the main thread until the end; a signal that ends the app ends the process.
  /// - Returns: what went well but deserves a word.
  func run(
    _ recordingAccess: RecordingAccess, at link: DeepLink? = nil
  ) throws(CommandFailure) -> [String] {
    // Monitors that end are not waited for, and shall not remain as zombies.
    signal(SIGCHLD, SIG_IGN)
    var recording: RecordingFile?
    if let path = debugging.recording { recording = try RecordingFile(path, recordingAccess) }
    let clipboard = Clipboard()
    let store = Store.app(
      provide: { values in
        provide(&values)
        values.clipboardClient = ClipboardClient { await clipboard.copy($0) }
        values.qrCodeClient = .live
      }, recording: recording)
    let session = DebugSession(app: store)
    let application = TerminalApplication(
      device: TerminalDevice(options: appearance.terminalOptions),
      colorDepth: appearance.color.depth
    ) { _ in
      DebugView(session: session)
    }
    clipboard.application = application
    let depth = application.host.colorDepth
    let dress = {
      let chosen = store.main?.snapshot.appearance ?? Appearance()
      application.host.theme = appearance.theme(
        chosen: chosen.theme, on: application.capabilities, depth: depth)
      application.host.reducesMotion = appearance.reducesMotion || chosen.reducesMotion
      application.setNeedsDisplay()
    }
    dress()
    application.onCapabilities = { _ in dress() }
    application.onResume = { store.send(.resumed) }
    let observation = store.observe {
      if store.isFinished { application.stop() } else { dress() }
    }
    let overlayObservations = [
      session.overlay.observe({ $0.lastMoment }) { _ in application.setNeedsDisplay() },
      session.overlay.observe({ $0.effects }) { _ in application.setNeedsDisplay() },
    ]
    defer { for observation in [observation] + overlayObservations { observation.cancel() } }
    if debugging.showsOverlay { session.overlay.send(.debugKeyPressed) }
    if let link { store.send(.linkOpened(link)) }
    store.send(.started)
    do throws(TerminalError) {
      try application.run().endProcess()
    } catch {
      throw CommandFailure(
        "\(error)", advice: "The commands work without one: try lifesignal --help.")
    }
    return recording?.warning.map { [$0] } ?? []
  }
}

/// Where text is copied to, once the application has its terminal.
@MainActor private final class Clipboard {
  weak var application: TerminalApplication?

  func copy(_ text: String) { application?.copy(text) }
}

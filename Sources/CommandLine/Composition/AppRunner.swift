import Clients
import Composable
import Dispatch
import Domain
import Features
import Glibc
import Images
import Terminal

/// Shows the app on the terminal until the user leaves it.
@MainActor
struct AppRunner {
  let appearance: AppearanceOptions
  let debugging: DebugOptions
  /// Where to note that the app is running, and to keep the settings; `nil` for a demo, which keeps
  /// nothing.
  var folders: Folders?
  let provide: StoreAccess.ClientProvider
  /// Returns the name of the server that this machine has joined.
  var server: () throws -> String? = { nil }
  /// The demo, whose time the user controls; `nil` for the real app.
  var demo: DemoWorld?

  /// Occupies the main thread until the app ends. If a signal ends the app, it ends the process
  /// too.
  /// - Returns: Warnings after a run that went well.
  func run(
    _ recordingAccess: RecordingAccess, at link: DeepLink? = nil
  ) throws -> [String] {
    var recording: RecordingFile?
    if let path = debugging.recording { recording = try RecordingFile(path, recordingAccess) }
    let window = Window()
    let session = AppSession(recording: recording?.target) { values in
      provide(&values)
      values.terminalSettingsFile = folders?.terminalSettings
      values.sharedValueFailed = { _, error, _ in
        Task { @MainActor in window.settingsFailed?(error) }
      }
      values.secretPromptClient = .onScreen()
      values.clipboardClient = ClipboardClient { await window.copy($0) }
      values.attentionClient = AttentionClient {
        await window.call(title: $0, text: $1, rings: $2)
      }
      values.qrCodeClient = .live
    }
    let mark = folders.flatMap { RunMark(in: $0.state) }
    noteUncleanEnds()
    let pace = demo?.makePace()
    let application = TerminalApplication(
      device: TerminalDevice(options: appearance.terminalOptions),
      colorDepth: appearance.color.depth
    ) { _ in session.view(pace: pace) }
    window.application = application
    window.showCopied = { session.showCopied($0) }
    window.settingsFailed = { session.noteSettingsFailure($0) }
    application.onUnusedPaste = { session.paste($0) }
    application.onUnusedKey = { session.noteUnusedKey($0) }
    let dress = {
      let chosen = session.appearance
      application.host.theme = appearance.theme(
        chosen: chosen.theme, on: application.capabilities)
      application.host.reducesMotion = appearance.reducesMotion || chosen.reducesMotion
      application.setNeedsDisplay()
    }
    dress()
    application.onCapabilities = { _ in dress() }
    application.onResume = { session.resume() }
    application.onFocus = { session.setActive($0) }
    var observations = session.observe(
      app: { if session.isFinished { application.stop() } else { dress() } },
      overlay: { application.setNeedsDisplay() })
    if let pace { observations += observe(pace, over: session, in: application) }
    defer { for observation in observations { observation.cancel() } }
    let life = demo.map { demo in Task.detached { await demo.live() } }
    defer { life?.cancel() }
    pace?.send(.started)
    if debugging.showsOverlay { session.toggleDebugOverlay() }
    session.start(at: link)
    // Joining or leaving a server changes the account, so whatever is done here would be lost.
    let before = try? server()
    let move = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        guard hasMoved(from: before), session.ownArmedAlert == nil else { continue }
        return application.stop()
      }
    }
    defer { move.cancel() }
    let unwatched: String?
    do throws(TerminalError) {
      let end = try application.run()
      let clients = DependencyValues(provide)
      unwatched = clients.watchClient.warningOfEnd
      if end == .closed || end == .signal(SIGHUP) { raiseArmedAlert(of: session) }
      if clients.offlineClient.outbox().hasWaiting { clients.offlineClient.startSync() }
      closeStore()
      mark?.end()
      end.endProcess()
    } catch {
      mark?.end()
      throw CommandFailure(
        "\(error)", advice: "Try lifesignal --plain, which asks and answers in lines.")
    }
    let moved =
      hasMoved(from: before)
      ? ((try? server()).map {
        "This machine has joined the server \($0), which looks after your account now."
      } ?? "This machine has left its server.") + " Start lifesignal again."
      : nil
    return [recording?.warning, moved ?? unwatched].compactMap(\.self)
  }

  /// Returns whether this machine has joined or left a server; `false` if the file can't be read.
  private func hasMoved(from before: String?) -> Bool {
    do { return try server() != before } catch { return false }
  }

  /// Raises the alert that was started here, because nobody sees its countdown any more (ALT-7). If
  /// that takes too long, a monitor raises it on time.
  private func raiseArmedAlert(of session: AppSession) {
    guard let (id, message) = session.ownArmedAlert else { return }
    wait(seconds: 8) {
      @Dependency(\.alertClient) var alertClient
      await EffectLocation.$current.withValue(IssueLocation()) {
        do { _ = try await alertClient.arm(id, message, .zero) } catch {
          _ = try? await alertClient.spool(id, message, .zero)
        }
      }
    }
  }

  /// Closes the store, unless something takes long: the next program checks it then.
  private func closeStore() {
    wait(seconds: 1) {
      @Dependency(\.upkeepClient) var upkeepClient
      await flushSharedValues()
      await upkeepClient.close()
    }
  }

  /// Blocks the main thread while something is done with the clients.
  private func wait(seconds: Double, _ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached { [provide] in
      await withDependencies(provide) { await work() }
      done.signal()
    }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// Adds runs that crashed or were killed to the error log.
  private func noteUncleanEnds() {
    guard let folders else { return }
    let begins = RunMark.takeAbandoned(in: folders.state)
    guard !begins.isEmpty else { return }
    let clients = DependencyValues(provide)
    let (logger, now) = (clients.errorLogger, clients.dateClient.now())
    Task.detached {
      for begin in begins {
        await logger.write(.uncleanEnd(ofRunBegunAt: begin, noticedAt: now))
      }
    }
  }

  /// Updates the app whenever the demo's pace ticks, and slows to real time while the user is
  /// raising an alert.
  private func observe(
    _ pace: StoreOf<PaceFeature>, over app: AppSession,
    in application: TerminalApplication
  ) -> [ObservationToken] {
    [
      pace.observe { application.setNeedsDisplay() },
      pace.observe({ $0.now }) { _ in app.tick() },
      app.observeRealTimePhases { [demo] isHeld in
        // At once, not by the effect: no demo second must pass before the next key press.
        if isHeld { demo?.clock.setSpeed(1) }
        pace.send(.heldChanged(isHeld))
      },
    ]
  }
}

/// The app's access to the terminal's clipboard, bell and notifications, once the application runs.
@MainActor private final class Window {
  weak var application: TerminalApplication?
  /// Shows a text that the terminal may not have copied.
  var showCopied: (@MainActor (String) -> Void)?
  /// Says that this terminal's settings can't be read or kept.
  var settingsFailed: (@MainActor (any Error) -> Void)?

  func copy(_ text: String) {
    application?.copy(text)
    showCopied?(text)
  }

  /// Gets the user's attention (NOT-2).
  func call(title: String, text: String, rings: Bool) {
    if rings { application?.ringBell() }
    application?.notify(title: title, body: text)
  }
}

extension WatchClient {
  /// A warning that the monitor which was started here ends with this program; `nil` if none does.
  var warningOfEnd: String? {
    guard endsWithProgram() else { return nil }
    return
      "The monitor of this build ends with it, because it was not installed: unless another one runs,"
      + " nobody watches here now. Run make install, then use the installed lifesignal."
  }
}

extension Folders {
  /// The settings of this terminal.
  var terminalSettings: String { state + "/terminal.json" }
}

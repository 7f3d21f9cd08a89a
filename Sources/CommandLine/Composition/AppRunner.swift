import Clients
import Composable
import Dispatch
import Domain
import Features
import Glibc
import Images
import Terminal

/// Shows the app on the terminal until the person leaves it.
@MainActor
struct AppRunner {
  let appearance: AppearanceOptions
  let debugging: DebugOptions
  /// Where it is noted that the app runs; `nil` for a demo, of which nothing is kept.
  var stateFolder: String?
  let provide: StoreAccess.ClientProvider
  /// The name of the server that this machine has joined.
  var server: () throws -> String? = { nil }
  /// What lets time pass in the demo; `nil` where it passes by itself.
  var demo: DemoWorld?

  /// Takes the main thread until the end; a signal that ends the app ends the process.
  /// - Returns: what went well but deserves a word.
  func run(
    _ recordingAccess: RecordingAccess, at link: DeepLink? = nil
  ) throws -> [String] {
    var recording: RecordingFile?
    if let path = debugging.recording { recording = try RecordingFile(path, recordingAccess) }
    let window = Window()
    let session = AppSession(recording: recording?.target) { values in
      provide(&values)
      values.askForSecrets()
      values.clipboardClient = ClipboardClient { await window.copy($0) }
      values.attentionClient = AttentionClient { await window.call(title: $0, text: $1) }
      values.qrCodeClient = .live
    }
    let mark = stateFolder.flatMap { RunMark(in: $0) }
    noteUncleanEnds()
    let pace = demo?.makePace()
    let application = TerminalApplication(
      device: TerminalDevice(options: appearance.terminalOptions),
      colorDepth: appearance.color.depth
    ) { _ in session.view(pace: pace) }
    window.application = application
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
    // Joining brings another account, or this one to another place: what is done here would be nothing there.
    let before = try? server()
    let move = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        guard hasMoved(from: before), session.ownArmedAlert == nil else { continue }
        return application.stop()
      }
    }
    defer { move.cancel() }
    do throws(TerminalError) {
      let end = try application.run()
      if end == .closed || end == .signal(SIGHUP) { raiseArmedAlert(of: session) }
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
    return [recording?.warning, moved].compactMap(\.self)
  }

  /// Whether this machine has joined or left a server; a file that can't be read just now says nothing.
  private func hasMoved(from before: String?) -> Bool {
    do { return try server() != before } catch { return false }
  }

  /// Raises the alert that was begun here, since nobody sees its countdown any more (ALT-7). Should that
  /// take too long, a monitor does it at its instant.
  private func raiseArmedAlert(of session: AppSession) {
    guard let (id, message) = session.ownArmedAlert else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached { [provide] in
      await withDependencies(provide) {
        @Dependency(\.alertClient) var alertClient
        await EffectLocation.$current.withValue(IssueLocation()) {
          do { _ = try await alertClient.arm(id, message, .zero) } catch {
            _ = try? await alertClient.spool(id, message, .zero)
          }
        }
      }
      done.signal()
    }
    _ = done.wait(timeout: .now() + 8)
  }

  /// Has runs that were killed or crashed stand in the error log.
  private func noteUncleanEnds() {
    guard let stateFolder else { return }
    let begins = RunMark.takeAbandoned(in: stateFolder)
    guard !begins.isEmpty else { return }
    let clients = DependencyValues(provide)
    let (logger, now) = (clients.errorLogger, clients.dateClient.now())
    Task.detached {
      for begin in begins {
        await logger.write(.uncleanEnd(ofRunBegunAt: begin, noticedAt: now))
      }
    }
  }

  /// Where the time runs, the app looks at it when the pace does; and it runs no faster than a person
  /// while they raise an alert.
  private func observe(
    _ pace: StoreOf<PaceFeature>, over app: AppSession,
    in application: TerminalApplication
  ) -> [ObservationToken] {
    [
      pace.observe { application.setNeedsDisplay() },
      pace.observe({ $0.now }) { _ in app.tick() },
      app.observeOwnTime { [demo] isHeld in
        // At once and not with the effect: until the next press no second may go by.
        if isHeld { demo?.clock.setSpeed(1) }
        pace.send(.heldChanged(isHeld))
      },
    ]
  }
}

/// What the terminal does beside drawing, once the application has it.
@MainActor private final class Window {
  weak var application: TerminalApplication?

  func copy(_ text: String) { application?.copy(text) }

  /// Calls the person (NOT-2).
  func call(title: String, text: String) {
    application?.ringBell()
    application?.notify(title: title, body: text)
  }
}

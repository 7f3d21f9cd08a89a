import Clients
import Composable
import Features
import FoundationEssentials
import Synchronization

/// The file into which the actions of the app are written, each at once.
final class RecordingFile: Sendable {
  private let path: String
  private let output: TextOutput
  private let timeZone: String?
  private let failure = Mutex<String?>(nil)

  /// Makes the file, which may not be there.
  init(_ path: String, _ access: RecordingAccess) throws {
    do { output = try access.makeFile(path) } catch {
      throw CommandFailure(
        "\(path) cannot be made: \(error.reason).",
        advice: "A recording needs a file that is not there yet.")
    }
    self.path = path
    timeZone = access.timeZone()
  }

  /// Begins the recording.
  func recorder(now: @escaping @Sendable () -> Date) -> ActionRecorder<AppFeature.Action> {
    let header = RecordingHeader(program: Version.program, date: now(), timeZone: timeZone)
    return ActionRecorder(header: header, now: now) { [self] line in append(line) }
  }

  /// What has become of the recording, if it is not whole.
  var warning: String? {
    failure.withLock { $0 }.map { "\(path) is not complete: \($0)." }
  }

  private func append(_ line: String) {
    failure.withLock { failure in
      // After a failure there is a gap, and nothing behind a gap can be replayed.
      if failure == nil { failure = output.write(line + "\n") }
    }
  }
}

extension Store where State == AppFeature.State, Action == AppFeature.Action {
  /// The app's store, with the clients of a platform.
  /// - Parameter recording: Where its actions are written down.
  static func app(
    provide: @escaping StoreAccess.ClientProvider, recording: RecordingFile? = nil
  ) -> StoreOf<AppFeature> {
    guard let recording else {
      return Store(initialState: AppFeature.State()) {
        AppFeature()
      } withDependencies: {
        provide(&$0)
      }
    }
    var clients = DependencyValues.current
    provide(&clients)
    let recorder = recording.recorder(now: clients.dateClient.now)
    return Store(initialState: AppFeature.State()) {
      AppFeature().recordingActions(to: recorder)
    } withDependencies: {
      $0 = clients
      $0.dateClient.now = recorder.now
      recorder.install(in: &$0)
    }
  }
}

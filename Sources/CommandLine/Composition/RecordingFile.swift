import Domain
import Features
import FoundationEssentials
import Synchronization

/// The file of a recording, to which each of the app's actions is written at once.
final class RecordingFile: Sendable {
  private let path: String
  private let output: TextOutput
  private let timeZone: String?
  private let failure = Mutex<String?>(nil)

  /// Creates the file, which must not exist yet.
  init(_ path: String, _ access: RecordingAccess) throws {
    do { output = try access.makeFile(path) } catch {
      throw CommandFailure(
        "\(path) can't be created: \(error.reason).",
        advice: "A recording needs a new file.")
    }
    self.path = path
    timeZone = access.timeZone()
  }

  /// The output to which the app writes its actions.
  var target: AppRecording.Output {
    .init(program: Version.program, timeZone: timeZone) { [self] line in append(line) }
  }

  /// Why the recording is incomplete, or `nil`.
  var warning: String? {
    failure.withLock { $0 }.map { "\(path) is not complete: \($0)." }
  }

  private func append(_ line: String) {
    failure.withLock { failure in
      // A failed write leaves a gap, and nothing after a gap can be replayed.
      if failure == nil { failure = output.write(line + "\n") }
    }
  }
}

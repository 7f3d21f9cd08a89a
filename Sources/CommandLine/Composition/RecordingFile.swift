import Domain
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
        "\(path) can't be created: \(error.reason).",
        advice: "A recording needs a new file.")
    }
    self.path = path
    timeZone = access.timeZone()
  }

  /// What the app writes its actions to.
  var target: AppRecording.Output {
    .init(program: Version.program, timeZone: timeZone) { [self] line in append(line) }
  }

  /// Why the recording isn't complete, if it isn't.
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

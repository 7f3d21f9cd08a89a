import Clients
import Composable
import ComposableFoundation
import Domain
import Features
import FoundationEssentials

/// `lifesignal replay`: replays a recording without a screen and prints the final state.
struct ReplayCommand: PlainCommand {
  var path: String

  static let declaration = CommandDeclaration(
    "replay", "Replay a recording of the app and print its last state",
    discussion: [
      "Make a recording with lifesignal --record FILE. Replaying needs no screen, store or"
        + " network: the recorded actions lead to the same state again.",
      "A recording contains names, addresses and notes from the screens. Read it before you"
        + " share it.",
    ],
    takesAccount: false
  ) { syntax in
    let file = syntax.argument("FILE", "A recording made with --record")
    return { ReplayCommand(path: try $0.required(file)) }
  }

  /// The maximum size of a recording in bytes.
  static let sizeLimit = 64 << 20

  func run(_ invocation: Invocation) async throws -> Report {
    let recording = try read(invocation)
    // Local times must be those of the recording, wherever it is replayed.
    if let zone = recording.header.timeZone { invocation.recordingAccess.useTimeZone(zone) }
    let state = await recording.finalState()
    var warnings: [String] = []
    if recording.header.program != Version.program {
      warnings.append(
        "It was recorded by \(recording.header.program); \(Version.program) may come to another"
          + " state.")
    }
    if recording.isCutOff {
      warnings.append("The last line of \(path) is cut off and was left out.")
    }
    return Report([summary(of: recording), ""] + lines(of: state), warnings: warnings)
  }

  private func read(_ invocation: Invocation) throws -> AppRecording {
    let data = try invocation.contents(
      of: path, upTo: Self.sizeLimit,
      tooLarge: CommandFailure("\(path) is larger than \(Self.sizeLimit >> 20) MiB."))
    do { return try AppRecording(data) } catch { throw failure(error) }
  }

  private func failure(_ error: RecordingError) -> CommandFailure {
    switch error.reason {
    case .noHeader:
      CommandFailure(
        "\(path) isn't a recording of the app.", advice: "Make one with lifesignal --record FILE.")
    case .otherVersion(let version):
      CommandFailure(
        "\(path) is a recording of format \(version); this program reads"
          + " \(RecordingHeader.currentVersion).",
        advice: "Replay it with the program that recorded it.")
    case .noAction(let reason):
      CommandFailure(
        "\(path), line \(error.line): unknown action (\(reason)).")
    }
  }

  private func summary(of recording: AppRecording) -> String {
    let count = recording.dates.count
    let start = recording.header.date.rfc3339
    let end = (recording.dates.last ?? recording.header.date).rfc3339
    return "\(count) action\(count == 1 ? "" : "s") from \(start) to \(end)"
  }
}

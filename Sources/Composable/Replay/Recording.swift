public import FoundationEssentials

/// What an `ActionRecorder` has written.
public struct Recording<Action: Decodable> {
  /// The first line.
  public let header: RecordingHeader
  /// The actions, in the order in which they were reduced.
  public let actions: [RecordedAction<Action>]
  /// Whether the last line was cut off and left out: the program or the machine died writing it.
  public let isCutOff: Bool

  /// Reads a recording.
  ///
  /// - Parameter data: The lines, each ended by a line feed. Only the last may lack its end, and then
  ///   may be incomplete.
  public init(_ data: Data) throws(RecordingError) {
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let decoder = JSONDecoder()
    header = try Self.header(lines.first ?? Data(), decoder)
    var actions: [RecordedAction<Action>] = []
    var isCutOff = false
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      do {
        actions.append(try decoder.decode(RecordedAction<Action>.self, from: line))
      } catch {
        isCutOff = index == lines.count - 1
        guard isCutOff else {
          throw RecordingError(line: index + 1, reason: .noAction(RecordingError.text(of: error)))
        }
      }
    }
    self.actions = actions
    self.isCutOff = isCutOff
  }

  private static func header(
    _ line: Data, _ decoder: JSONDecoder
  ) throws(RecordingError) -> RecordingHeader {
    guard let version = try? decoder.decode(FormatVersion.self, from: line) else {
      throw RecordingError(line: 1, reason: .noHeader)
    }
    guard version.recording == RecordingHeader.currentVersion else {
      throw RecordingError(line: 1, reason: .otherVersion(version.recording))
    }
    do { return try decoder.decode(RecordingHeader.self, from: line) } catch {
      throw RecordingError(line: 1, reason: .noHeader)
    }
  }
}

/// The part of a header that every version of the format has.
private struct FormatVersion: Decodable { let recording: Int }

extension Recording: Sendable where Action: Sendable {}

/// Why a recording cannot be read.
public struct RecordingError: Error, Equatable {
  /// The line, from 1.
  public let line: Int
  /// What is wrong with it.
  public let reason: Reason

  /// What is wrong with a line.
  public enum Reason: Equatable, Sendable {
    /// The file does not begin as a recording does.
    case noHeader
    /// It is a recording of another version of the format.
    case otherVersion(Int)
    /// The line is no action, or one that this program does not know; with the reason.
    case noAction(String)
  }

  /// What a decoder found wrong, with the place.
  fileprivate static func text(of error: any Error) -> String {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .dataCorrupted(let it), .keyNotFound(_, let it), .typeMismatch(_, let it),
      .valueNotFound(_, let it):
      context = it
    default: return "\(error)"
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
  }
}

public import FoundationEssentials

/// A recording written by an `ActionRecorder`.
public struct Recording<Action: Decodable> {
  /// The header in the first line.
  public let header: RecordingHeader
  /// The actions, in the order in which they were reduced.
  public let actions: [RecordedAction<Action>]
  /// Whether the last line was incomplete and left out, because the program or the machine failed
  /// while writing it.
  public let isCutOff: Bool

  /// Reads a recording.
  ///
  /// - Parameter data: The lines, each ended by a line feed. Only the last line can lack it, and
  ///   can then be incomplete.
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
    guard version.number == RecordingHeader.currentVersion else {
      throw RecordingError(line: 1, reason: .otherVersion(version.number))
    }
    do { return try decoder.decode(RecordingHeader.self, from: line) } catch {
      throw RecordingError(line: 1, reason: .noHeader)
    }
  }
}

/// The part of a header that every version of the format has.
private struct FormatVersion: Decodable {
  let number: Int

  private enum CodingKeys: String, CodingKey { case number = "recording" }
}

extension Recording: Sendable where Action: Sendable {}

/// An error in a recording.
public struct RecordingError: Error, Equatable {
  /// The number of the line, from 1.
  public let line: Int
  /// What is wrong with the line.
  public let reason: Reason

  /// What is wrong with a line.
  public enum Reason: Equatable, Sendable {
    /// The file doesn't begin with a recording's header.
    case noHeader
    /// The recording has another version of the format.
    case otherVersion(Int)
    /// The line isn't an action, or isn't one that this program knows. The text is the decoding
    /// error.
    case noAction(String)
  }

  /// Returns a decoding error's description, with the coding path.
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

/// The first line of a recording: everything but the actions that a replay needs.
public struct RecordingHeader: Codable, Equatable, Sendable {
  /// The version of the format.
  public let formatVersion: Int
  /// The recorded program and its version: `lifesignal 0.1.0`.
  public var program: String
  /// When the recording began.
  public var date: Date
  /// The first id that reducers get.
  public var firstID: UUID
  /// The time zone as named in the program's environment; `nil` if unknown.
  public var timeZone: String?

  /// The version of the format that is written, and the only one that can be read.
  public static let currentVersion = 5

  private enum CodingKeys: String, CodingKey {
    case formatVersion = "recording", program, date, firstID, timeZone
  }

  /// Creates the header of a new recording.
  public init(program: String, date: Date, firstID: UUID = UUID(), timeZone: String? = nil) {
    formatVersion = Self.currentVersion
    self.program = program
    self.date = date
    self.firstID = firstID
    self.timeZone = timeZone
  }
}

/// A line of a recording: an action and when it was reduced.
public struct RecordedAction<Action> {
  /// The action.
  public var action: Action
  /// The time that reducers read while the action was reduced.
  public var date: Date

  /// Creates a line.
  public init(_ action: Action, date: Date) {
    self.action = action
    self.date = date
  }
}

extension RecordedAction: Equatable where Action: Equatable {}
extension RecordedAction: Sendable where Action: Sendable {}
extension RecordedAction: Encodable where Action: Encodable {}
extension RecordedAction: Decodable where Action: Decodable {}

public import FoundationEssentials

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
  public static let currentVersion = 4

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

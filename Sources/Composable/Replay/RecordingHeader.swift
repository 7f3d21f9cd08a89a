public import FoundationEssentials

/// The first line of a recording: what a replay has to know beside the actions.
public struct RecordingHeader: Codable, Equatable, Sendable {
  /// The version of the format.
  public let recording: Int
  /// What was recorded, and its version: `lifesignal 0.1.0`.
  public var program: String
  /// When the recording began.
  public var date: Date
  /// The first of the ids that reducers get.
  public var firstID: UUID
  /// The time zone as the program's environment names it, or `nil` where it is not known.
  public var timeZone: String?

  /// The version of the format that is written, and the only one that is read.
  public static let currentVersion = 2

  /// Makes the header of a new recording.
  public init(program: String, date: Date, firstID: UUID = UUID(), timeZone: String? = nil) {
    recording = Self.currentVersion
    self.program = program
    self.date = date
    self.firstID = firstID
    self.timeZone = timeZone
  }
}

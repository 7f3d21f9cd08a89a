/// How the program comes to a file for a recording, and what it has to know of the time zone.
public struct RecordingAccess: Sendable {
  /// Makes a new file that only its owner may read.
  /// - Returns: what appends to it.
  public var makeFile: @Sendable (_ path: String) throws(FileError) -> TextOutput
  /// The name of the local time zone, as `TZ` has it; `nil` where it is not known.
  public var timeZone: @Sendable () -> String?
  /// Takes another time zone for the local one.
  public var useTimeZone: @Sendable (_ name: String) -> Void
}

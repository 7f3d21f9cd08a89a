/// Access to recording files and the local time zone.
public struct RecordingAccess: Sendable {
  /// Creates a new file that only its owner can read.
  /// - Returns: An output that appends to it.
  public var makeFile: @Sendable (_ path: String) throws(FileError) -> TextOutput
  /// The name of the local time zone, as in `TZ`; `nil` if it is unknown.
  public var timeZone: @Sendable () -> String?
  /// Sets the local time zone.
  public var useTimeZone: @Sendable (_ name: String) -> Void
}

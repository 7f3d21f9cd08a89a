/// An exit code of the program, for scripts.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// 0.
  public static let ok = ExitCode(rawValue: 0)
  /// 1: the command failed.
  public static let failure = ExitCode(rawValue: 1)
  /// 2: the command line is wrong.
  public static let usage = ExitCode(rawValue: 2)
  /// 10: the deadline is near.
  public static let dueSoon = ExitCode(rawValue: 10)
  /// 20: the deadline has passed.
  public static let overdue = ExitCode(rawValue: 20)
  /// 30: an alert is on.
  public static let alert = ExitCode(rawValue: 30)
  /// 40: the passphrase of the gate is missing or wrong.
  public static let locked = ExitCode(rawValue: 40)
  /// 45: not possible at the moment, such as a drill during an alert.
  public static let refused = ExitCode(rawValue: 45)
  /// 75: queued, and nobody has received it yet.
  public static let queued = ExitCode(rawValue: 75)
}

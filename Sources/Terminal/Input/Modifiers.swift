/// The modifier keys held while a key or a mouse button was pressed.
///
/// Super, Hyper, Meta and the locks are ignored: most terminals don't distinguish them, and no
/// command uses them.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits, numbered as terminals report them.
  public let rawValue: UInt8

  /// Creates a set of modifiers from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift; not reported for keys that type text.
  public static let shift = Modifiers(rawValue: 1)
  /// Alt, or Option on a Mac.
  public static let alt = Modifiers(rawValue: 2)
  /// Control.
  public static let control = Modifiers(rawValue: 4)

  /// Creates modifiers from the parameter of a key or `CSI u` report, which is one more than the
  /// bit set (xterm, "PC-Style Function Keys"): 2 is Shift, 3 Alt, 5 Control.
  init(reportParameter parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 7)
  }
}

/// The modifier keys held while a key or a mouse button was pressed.
///
/// Super, hyper, meta and the locks are not told apart by most terminals and carry no commands
/// here, so they are dropped.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits, as terminals count them.
  public let rawValue: UInt8

  /// Modifiers from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Shift; not reported for keys that type text.
  public static let shift = Modifiers(rawValue: 1)
  /// Alt, which is Option on a Mac.
  public static let alt = Modifiers(rawValue: 2)
  /// Control.
  public static let control = Modifiers(rawValue: 4)

  /// The modifiers from the parameter of a key or `CSI u` report, which is one more than the bit
  /// set (xterm, "PC-Style Function Keys"): 2 is shift, 3 alt, 5 control.
  init(reportParameter parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 7)
  }
}

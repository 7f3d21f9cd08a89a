/// The modifier keys held while a key or a mouse button was pressed.
///
/// Super, hyper, meta and the locks are not told apart by most terminals and carry no commands
/// here, so they are dropped.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let shift = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let control = Modifiers(rawValue: 4)

  /// The modifiers from the parameter of a key or `CSI u` report, which is one more than the bit
  /// set (xterm, "PC-Style Function Keys"): 2 is shift, 3 alt, 5 control.
  init(reportParameter parameter: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1)) & 7)
  }
}

extension Int {
  /// The whole part of a number of any size, such as the difference of two instants of which a file
  /// names one: at most 2⁵³ to either side, and 0 for what is no number.
  public init(bounded value: Double) {
    self = value.isNaN ? 0 : Int(Swift.max(-0x1p53, Swift.min(value, 0x1p53)))
  }
}

extension Int {
  /// Truncates a number of any size, such as the time between two dates of which one was read from
  /// a file. The result is limited to ±2⁵³, and 0 for NaN.
  public init(bounded value: Double) {
    self = value.isNaN ? 0 : Int(Swift.max(-0x1p53, Swift.min(value, 0x1p53)))
  }
}

extension [String] {
  /// The items as a sentence lists them: `Ada`, `Ada and Grace`, `Ada, Grace and Alan`.
  public var joinedAsList: String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}

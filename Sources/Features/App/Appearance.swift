/// The colours of the screen, by name (PRODUCT.md, *Profile and settings*).
public enum ThemeName: String, CaseIterable, Codable, Equatable, Sendable {
  /// What suits the terminal's ground, which it tells.
  case auto
  case dark, light
  case highContrast = "high-contrast"
  case mono
}

/// What the person chose for every screen; the document `settings/appearance`.
public struct Appearance: Codable, Equatable, Sendable {
  public var theme: ThemeName
  /// Nothing moves by itself: nothing turns, slides, fills or blinks.
  public var reducesMotion: Bool
  /// What the dependents are sorted by (ORD-1).
  public var dependentOrder: ContactOrder

  public init(
    theme: ThemeName = .auto, reducesMotion: Bool = false,
    dependentOrder: ContactOrder = .timeLeft
  ) {
    self.theme = theme
    self.reducesMotion = reducesMotion
    self.dependentOrder = dependentOrder
  }

  private enum CodingKeys: String, CodingKey {
    case theme
    case reducesMotion = "reducedMotion"
    case dependentOrder
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Each choice is as good without the other.
    theme = try container.decodeIfPresent(ThemeName.self, forKey: .theme) ?? .auto
    reducesMotion = try container.decodeIfPresent(Bool.self, forKey: .reducesMotion) ?? false
    dependentOrder =
      try container.decodeIfPresent(ContactOrder.self, forKey: .dependentOrder) ?? .timeLeft
  }
}

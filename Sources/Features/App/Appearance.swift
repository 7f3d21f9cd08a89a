/// The colours of the screen, by name (PRODUCT.md, *Profile and settings*).
public enum ThemeName: String, CaseIterable, Codable, Equatable, Sendable {
  /// What suits the terminal's ground, which it tells.
  case auto
  case dark, light
  case highContrast = "high-contrast"
  case mono
  /// As `auto`, drawn with ASCII characters only.
  case ascii
}

/// What the person chose for every screen; the document `settings/appearance`.
public struct Appearance: Codable, Equatable, Sendable {
  public var theme: ThemeName
  /// Nothing moves by itself: nothing turns, slides, fills or blinks.
  public var reducesMotion: Bool

  public init(theme: ThemeName = .auto, reducesMotion: Bool = false) {
    self.theme = theme
    self.reducesMotion = reducesMotion
  }

  private enum CodingKeys: String, CodingKey {
    case theme
    case reducesMotion = "reducedMotion"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Each choice is as good without the other.
    theme = try container.decodeIfPresent(ThemeName.self, forKey: .theme) ?? .auto
    reducesMotion = try container.decodeIfPresent(Bool.self, forKey: .reducesMotion) ?? false
  }
}

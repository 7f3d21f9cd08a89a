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
  public init(theme: ThemeName) { self.theme = theme }
}

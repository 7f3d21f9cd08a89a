/// The colours of the screen, by name.
public enum ThemeName: String, CaseIterable, Codable, Equatable, Sendable {
  /// Light or dark, matching the background colour that the terminal reports.
  case auto
  case dark, light
  case highContrast = "high-contrast"
  case mono
  /// Like `auto`, but with ASCII characters only.
  case ascii
}

/// The person's choices for the look of all screens on this terminal.
public struct Appearance: Codable, Equatable, Sendable {
  public var theme: ThemeName
  /// Whether animations are off: nothing spins, slides, fills or blinks.
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
    // Decode each choice on its own, so that one can be missing.
    theme = try container.decodeIfPresent(ThemeName.self, forKey: .theme) ?? .auto
    reducesMotion = try container.decodeIfPresent(Bool.self, forKey: .reducesMotion) ?? false
  }
}

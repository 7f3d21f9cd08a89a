import Terminal

/// The themes to choose from.
enum GalleryTheme: String, CaseIterable, Equatable, Sendable {
  case dark, light, highContrast = "high contrast", mono

  func theme(isASCII: Bool) -> Theme {
    let theme: Theme =
      switch self {
      case .dark: .dark
      case .light: .light
      case .highContrast: .highContrast
      case .mono: .mono
      }
    return isASCII ? theme.ascii : theme
  }

  /// The next one, round and round.
  var next: GalleryTheme {
    let all = Self.allCases
    return all[(all.firstIndex(of: self)! + 1) % all.count]
  }
}

import Terminal

/// The themes of the gallery.
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

  /// The next theme; the first after the last.
  var next: GalleryTheme {
    let all = Self.allCases
    return all[(all.firstIndex(of: self)! + 1) % all.count]
  }
}

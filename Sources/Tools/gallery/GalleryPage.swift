import Terminal

/// The pages of the gallery, one per kind of view.
enum GalleryPage: Int, CaseIterable, Equatable, Sendable {
  case text, layout, lists, fields, controls, charts, pictures, dialogs, themes

  var title: String {
    switch self {
    case .text: "Text"
    case .layout: "Layout"
    case .lists: "Lists"
    case .fields: "Fields"
    case .controls: "Controls"
    case .charts: "Charts"
    case .pictures: "Pictures"
    case .dialogs: "Dialogs"
    case .themes: "Themes"
    }
  }

  /// The digit that opens the page.
  var key: KeyPress { KeyPress(.character(Character("\(rawValue + 1)"))) }
}

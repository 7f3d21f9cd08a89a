import Composable
import Terminal

/// The whole screen: the tabs, the page, the key hints, and any overlay.
struct GalleryView: View {
  let store: StoreOf<GalleryFeature>

  var body: some View {
    VStack {
      TabBar(
        tabs: GalleryPage.allCases.map { TabItem($0.title, key: $0.key) },
        selected: store.page.rawValue, title: "Gallery",
        onSelect: { store.send(.pageSelected(GalleryPage(rawValue: $0)!)) }
      ) {
        Text(store.theme.rawValue).foreground(.dim)
      }
      page.frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
      HelpBar()
    }
    .command("t", "Theme") { store.send(.themeButtonTapped) }
    .command("a", "ASCII") { store.send(.asciiToggled) }
    .command("m", "Motion") { store.send(.motionToggled) }
    .command("?", "Keys") { store.send(.overlayShown(.keys)) }
    .command(":", "Commands") { store.send(.overlayShown(.palette)) }
    .command("q", "Quit") { store.send(.quitButtonTapped) }
    .command("ctrl+c", "Quit", isHidden: true, scope: .global) { store.send(.quitButtonTapped) }
    .overlay { overlay }
    .overlay {
      if let toast = store.toast { Toast(toast, role: .calm) }
    }
    .windowTitle("Gallery – \(store.page.title)")
  }

  @ViewBuilder private var page: some View {
    switch store.page {
    case .text: TextPage(store: store)
    case .layout: LayoutPage()
    case .lists:
      ListsPage(store: store.scope(state: \.lists, action: GalleryFeature.Action.listsCase))
    case .fields:
      FieldsPage(store: store.scope(state: \.fields, action: GalleryFeature.Action.fieldsCase))
    case .controls:
      ControlsPage(
        store: store.scope(state: \.controls, action: GalleryFeature.Action.controlsCase),
        frame: store.frame)
    case .charts: ChartsPage()
    case .pictures: PicturesPage()
    case .dialogs: DialogsPage(store: store)
    case .themes: ThemesPage(store: store)
    }
  }

  @ViewBuilder private var overlay: some View {
    switch store.overlay {
    case .keys:
      Sheet("Keys", width: 44) { KeySheet() }
        .command("esc", "Close") { store.send(.overlayClosed) }
    case .palette:
      CommandPalette(
        query: store.query, position: store.commands,
        onEdit: { store.send(.queryEdited($0)) }, onMove: { store.send(.commandsMoved($0)) },
        onClose: { store.send(.overlayClosed) })
    case .dialog(let selected):
      QuestionDialog(store: store, selected: selected)
    case .sheet(let step):
      SlidingSheet(store: store, step: step)
    case nil:
      EmptyView()
    }
  }
}

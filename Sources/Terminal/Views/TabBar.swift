/// The line at the top: which tabs there are, which one is shown, and what is to be seen from
/// everywhere. Where it is narrow, the tabs that are not shown keep their key and badge only.
public struct TabBar<Trailing: View>: PrimitiveView {
  private let tabs: [TabItem]
  private let selected: Int
  private let title: String?
  private let trailing: Trailing
  private let onSelect: @MainActor (Int) -> Void

  /// - Parameters:
  ///   - tabs: The tabs.
  ///   - selected: The index of the tab that is shown.
  ///   - title: The program's name, at the left.
  ///   - onSelect: Gets the index of the tab that a key or the mouse asks for.
  ///   - trailing: What stands at the right.
  public init(
    tabs: [TabItem], selected: Int, title: String? = nil,
    onSelect: @escaping @MainActor (Int) -> Void, @ViewBuilder trailing: () -> Trailing
  ) {
    self.tabs = tabs
    self.selected = selected
    self.title = title
    self.trailing = trailing()
    self.onSelect = onSelect
  }

  /// A line of tabs with nothing at the right.
  public init(
    tabs: [TabItem], selected: Int, title: String? = nil,
    onSelect: @escaping @MainActor (Int) -> Void
  ) where Trailing == EmptyView {
    self.init(
      tabs: tabs, selected: selected, title: title, onSelect: onSelect,
      trailing: { EmptyView() })
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    let commands = tabs.enumerated().compactMap { index, tab in
      tab.key.map {
        Command(key: $0, title: tab.title, fullTitle: "Go to \(tab.title)", isHidden: true) {
          onSelect(index)
        }
      }
    }
    let faces = TabFaces(tabs: tabs, selected: selected, title: title)
    TabLine(faces: faces, trailing: trailing, onSelect: onSelect)
      .lineLimit(1)
      .with(commands)
      .build(in: tree)
  }
}

private struct TabLine<Trailing: View>: PrimitiveView {
  let faces: TabFaces
  let trailing: Trailing
  let onSelect: @MainActor (Int) -> Void

  func build(in tree: ViewTree) {
    let context = tree.captureContext()
    tree.add(TabBarElement(context: context, faces: faces, onSelect: onSelect)) {
      tree.addWrapping(TransparentElement()) { trailing.build(in: tree) }
    }
  }
}

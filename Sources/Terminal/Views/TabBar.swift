/// The top line: the tabs, which of them is shown, and status that is visible everywhere. If the
/// line is too narrow, unselected tabs shrink to their key and badge.
public struct TabBar<Trailing: View>: PrimitiveView {
  private let tabs: [TabItem]
  private let selected: Int
  private let title: String?
  private let trailing: Trailing
  private let onSelect: @MainActor (Int) -> Void

  /// - Parameters:
  ///   - tabs: The tabs.
  ///   - selected: The index of the selected tab.
  ///   - title: The name of the program, at the left.
  ///   - onSelect: Receives the index of the tab chosen with a key or the mouse.
  ///   - trailing: The view at the right.
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

  /// Creates a tab bar with nothing at the right.
  public init(
    tabs: [TabItem], selected: Int, title: String? = nil,
    onSelect: @escaping @MainActor (Int) -> Void
  ) where Trailing == EmptyView {
    self.init(
      tabs: tabs, selected: selected, title: title, onSelect: onSelect,
      trailing: { EmptyView() })
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let commands = tabs.enumerated().compactMap { index, tab in
      tab.key.map {
        Command(key: $0, title: tab.title, fullTitle: "Go to \(tab.title)", isHidden: true) {
          onSelect(index)
        }
      }
    }
    let labels = TabLabels(tabs: tabs, selected: selected, title: title)
    TabLine(labels: labels, trailing: trailing, onSelect: onSelect)
      .lineLimit(1)
      .with(commands)
      .build(in: tree)
  }
}

private struct TabLine<Trailing: View>: PrimitiveView {
  let labels: TabLabels
  let trailing: Trailing
  let onSelect: @MainActor (Int) -> Void

  func build(in tree: ViewTree) {
    let context = tree.captureContext()
    tree.add(TabBarElement(context: context, labels: labels, onSelect: onSelect)) {
      tree.addWrapping(TransparentElement()) { trailing.build(in: tree) }
    }
  }
}

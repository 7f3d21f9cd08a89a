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

/// A tab of a ``TabBar``.
public struct TabItem: Hashable, Sendable {
  /// The name of the tab.
  public var title: String
  /// A shorter name for narrow terminals.
  public var shortTitle: String
  /// A mark after the title: `▲2`.
  public var badge: String?
  /// The key that selects the tab.
  public var key: KeyPress?
  /// The colour of the badge.
  public var badgeRole: ThemeRole

  /// Creates a tab.
  public init(
    _ title: String, short: String? = nil, badge: String? = nil, key: KeyPress? = nil,
    badgeRole: ThemeRole = .danger
  ) {
    self.title = title
    shortTitle = short ?? title
    self.badge = badge
    self.key = key
    self.badgeRole = badgeRole
  }
}

/// The tabs as text, in as much detail as fits.
struct TabLabels {
  /// The level of detail, from most to least.
  enum Detail {
    case everything
    case withoutTitle
    /// Unselected tabs have their short names.
    case shortNames
    /// All tabs have their short names.
    case onlyShortNames
    /// Unselected tabs show only their key and badge.
    case keysOnly
  }

  let tabs: [TabItem]
  let selected: Int
  let title: String?

  /// Returns the program's name and the tabs, side by side.
  func texts(_ detail: Detail) -> [Text] {
    var texts: [Text] = []
    if detail == .everything {
      texts.append(title.map { Text(" \($0) ").bold().foreground(.accent) } ?? Text(""))
    } else {
      texts.append(Text(""))
    }
    for (index, tab) in tabs.enumerated() {
      texts.append(label(of: tab, isSelected: index == selected, detail: detail))
    }
    return texts
  }

  private func label(of tab: TabItem, isSelected: Bool, detail: Detail) -> Text {
    var text = Text(isSelected ? "▏" : " ")
    if let key = tab.key {
      text = text + Text(key.displayName + " ").foreground(isSelected ? .accent : .dim)
    }
    let isNamed = isSelected || detail != .keysOnly || tab.key == nil
    if isNamed {
      let isShort = detail == .onlyShortNames || detail == .shortNames && !isSelected
      let title = Text(isShort ? tab.shortTitle : tab.title)
      text = text + (isSelected ? title.bold() : title.foreground(.dim))
    }
    if let badge = tab.badge {
      text = text + Text(isNamed ? " " + badge : badge).foreground(tab.badgeRole)
    }
    return text + Text(isSelected ? "▕" : " ")
  }
}

/// Builds the tabs once the width is known, with as much of their names as fits. The trailing view
/// is its first child: tab names give way to it, and it gives way to the tabs' keys.
struct TabBarElement: Element {
  let context: BuildContext
  let labels: TabLabels
  let onSelect: @MainActor (Int) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let columns = proposal.columns == Proposal.ideal ? width(labels.texts(.everything)) : 0
    let trailing = tree.measureChild(of: node, Proposal(rows: 1)).columns
    return Size(
      columns: proposal.filled(ideal: Size(columns: columns + trailing + 2, rows: 1)).columns,
      rows: 1)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let trailing = tree.firstChild(of: node) else { return }
    let size = tree.measure(trailing, Proposal(rows: 1))
    let reserved = size.columns > 0 ? size.columns + 2 : 0
    var texts = labels.texts(.everything)
    for detail in [.withoutTitle, .shortNames, .onlyShortNames, .keysOnly] as [TabLabels.Detail]
    where width(texts) + reserved > rect.columns {
      texts = labels.texts(detail)
    }
    if width(texts) + reserved <= rect.columns {
      let point = Point(column: rect.maxColumn - size.columns - 1, row: rect.minRow)
      tree.place(trailing, in: Rect(origin: point, size: size), proposal: Proposal(rows: 1))
    }
    tree.build(under: node, context) {
      texts[0].build(in: tree)
      for index in texts.indices.dropFirst() {
        texts[index].onTap { onSelect(index - 1) }.build(in: tree)
      }
    }
    var point = rect.origin
    var child = tree.nextSibling(of: trailing)
    while let label = child {
      let size = tree.measure(label, Proposal(rows: 1))
      tree.place(label, in: Rect(origin: point, size: size), proposal: Proposal(rows: 1))
      point.column += size.columns
      child = tree.nextSibling(of: label)
    }
  }

  private func width(_ texts: [Text]) -> Int {
    var columns = 0
    for text in texts { columns += text.columns }
    return columns
  }
}

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

/// A tab of a ``TabBar``.
public struct TabItem: Hashable, Sendable {
  /// What the tab shows.
  public var title: String
  /// A mark behind the title: `▲2`.
  public var badge: String?
  /// The key that selects the tab.
  public var key: KeyPress?
  /// The colour of the badge.
  public var badgeRole: ThemeRole

  public init(
    _ title: String, badge: String? = nil, key: KeyPress? = nil, badgeRole: ThemeRole = .danger
  ) {
    self.title = title
    self.badge = badge
    self.key = key
    self.badgeRole = badgeRole
  }
}

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

  public init(
    tabs: [TabItem], selected: Int, title: String? = nil,
    onSelect: @escaping @MainActor (Int) -> Void
  ) where Trailing == EmptyView {
    self.init(
      tabs: tabs, selected: selected, title: title, onSelect: onSelect,
      trailing: { EmptyView() })
  }

  private enum Detail: CaseIterable {
    case full, noName, keysOnly
  }

  public func build(in tree: ViewTree) {
    let commands = tabs.enumerated().compactMap { index, tab in
      tab.key.map { Command(key: $0, title: tab.title, isHidden: true) { onSelect(index) } }
    }
    ViewThatFits {
      line(.full)
      line(.noName)
      line(.keysOnly)
    }
    .lineLimit(1)
    .frame(maxWidth: .max, alignment: .leading)
    .with(commands)
    .build(in: tree)
  }

  private func line(_ detail: Detail) -> some View {
    HStack(spacing: 0) {
      if let title, detail == .full {
        Text(" \(title) ").bold().foreground(.accent)
      }
      ForEach(0..<tabs.count) { index in
        face(of: tabs[index], isSelected: index == selected, detail: detail)
          .onTap { onSelect(index) }
      }
      Spacer(minLength: 1)
      trailing
      Text(" ")
    }
  }

  private func face(of tab: TabItem, isSelected: Bool, detail: Detail) -> some View {
    var text = Text(isSelected ? "▏" : " ")
    if let key = tab.key {
      text = text + Text(key.displayName + " ").foreground(isSelected ? .accent : .dim)
    }
    if isSelected {
      text = text + Text(tab.title).bold()
    } else if detail != .keysOnly || tab.key == nil {
      text = text + Text(tab.title).foreground(.dim)
    }
    if let badge = tab.badge {
      let gap = isSelected || detail != .keysOnly ? " " : ""
      text = text + Text(gap + badge).foreground(tab.badgeRole)
    }
    return text + Text(isSelected ? "▕" : " ")
  }
}

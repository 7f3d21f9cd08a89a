/// A tab of a ``TabBar``.
public struct TabItem: Hashable, Sendable {
  /// What the tab shows.
  public var title: String
  /// The title where it is narrow.
  public var shortTitle: String
  /// A mark behind the title: `▲2`.
  public var badge: String?
  /// The key that selects the tab.
  public var key: KeyPress?
  /// The colour of the badge.
  public var badgeRole: ThemeRole

  /// A tab with its key and its mark.
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

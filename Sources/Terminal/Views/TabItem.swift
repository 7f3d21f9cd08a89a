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

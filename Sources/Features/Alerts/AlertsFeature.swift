public import Composable
public import Domain
public import Terminal

/// The active alert with what has become of each message, and the history of alerts (ALT-3).
public struct AlertsFeature: Reducer {
  public struct State: Equatable, Sendable {
    public private(set) var snapshot: AccountSnapshot
    public var position = ListPosition(selected: 0)
    /// The alert whose deliveries are shown in a sheet.
    public var opened: Alert.ID?
    /// How far the sheet is scrolled.
    public var scrollOffset = 0

    public init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    public var openedReport: AlertReport? { snapshot.alerts.first { $0.id == opened } }

    /// Shows a new snapshot. The selection stays with its alert, but goes to one that has just begun.
    mutating func show(_ snapshot: AccountSnapshot) {
      let rows = self.snapshot.alerts
      let known = Set(rows.map(\.id))
      let begun = snapshot.alerts.first { $0.alert.isActive && !known.contains($0.id) }
      let chosen =
        begun?.id
        ?? (rows.indices.contains(position.selected) ? rows[position.selected].id : nil)
      self.snapshot = snapshot
      position.selected =
        snapshot.alerts.firstIndex { $0.id == chosen }
        ?? min(position.selected, max(0, snapshot.alerts.count - 1))
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case opened(Alert.ID)
    case scrolled(Int)
    case closeButtonTapped
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.position = position
    case .opened(let id):
      state.opened = id
      state.scrollOffset = 0
    case .scrolled(let offset): state.scrollOffset = offset
    case .closeButtonTapped: state.opened = nil
    }
    return .none
  }
}

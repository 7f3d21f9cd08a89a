public import FoundationEssentials

/// The most recent actions of a store and the state after each, for looking at what happened and
/// stepping back through it.
///
/// When the history is full, the oldest entry is dropped. States share what didn't change, so an
/// entry costs little more than what its action changed.
public struct ActionHistory<State, Action> {
  /// An action that was reduced.
  public struct Entry: Identifiable {
    /// The number of the action, counted from 1 and including dropped entries.
    public let id: Int
    /// The action.
    public let action: Action
    /// When it was reduced.
    public let date: Date
    /// The state after the action.
    public let state: State
  }

  /// The maximum number of entries.
  public let limit: Int
  /// The state before the first entry.
  public private(set) var initialState: State
  /// The entries, oldest first.
  public private(set) var entries: [Entry] = []
  /// The number of the next entry.
  private var nextID = 1

  /// Creates a history that begins with a state.
  ///
  /// - Precondition: `limit` is greater than 0.
  public init(initialState: State, limit: Int = 200) {
    precondition(limit > 0, "A history keeps at least one entry.")
    self.initialState = initialState
    self.limit = limit
  }

  /// Adds an action and the state after it. O(limit).
  public mutating func append(_ action: Action, date: Date, state: State) {
    if entries.count == limit { initialState = entries.removeFirst().state }
    entries.append(Entry(id: nextID, action: action, date: date, state: state))
    nextID += 1
  }

  /// Returns the states before and after the entry at an index.
  public func states(at index: Int) -> (before: State, after: State) {
    (index == 0 ? initialState : entries[index - 1].state, entries[index].state)
  }
}

extension ActionHistory.Entry: Equatable where State: Equatable, Action: Equatable {}
extension ActionHistory.Entry: Sendable where State: Sendable, Action: Sendable {}
extension ActionHistory: Equatable where State: Equatable, Action: Equatable {}
extension ActionHistory: Sendable where State: Sendable, Action: Sendable {}

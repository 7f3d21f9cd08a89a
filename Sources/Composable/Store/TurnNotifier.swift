/// Counts the turns of a store and notifies its observers after each one.
///
/// A turn is one action, sent from outside or by a running effect, and all actions that follow from
/// it synchronously.
@MainActor
class TurnNotifier {
  final private(set) var number: UInt = 0
  /// The stamp of the last shared change that the observers have seen.
  final private(set) var sharedStamp: UInt64
  final private var observers: [WeakObserver] = []

  private struct WeakObserver { weak var observer: Observer? }

  init(sharedStamp: UInt64) { self.sharedStamp = sharedStamp }

  final func add(_ observer: Observer) { observers.append(WeakObserver(observer: observer)) }

  /// Ends a turn and notifies the observers in the order in which they were added.
  final func end(sharedStamp: UInt64) {
    number &+= 1
    self.sharedStamp = sharedStamp
    guard !observers.isEmpty else { return }
    var isStale = false
    for entry in observers {
      if let observer = entry.observer, !observer.isCancelled {
        observer.turnEnded()
      } else {
        isStale = true
      }
    }
    if isStale {
      observers.removeAll { $0.observer?.isCancelled ?? true }
    }
  }
}

/// An observer of turns.
@MainActor
final class Observer {
  private let flag: CancellationFlag
  private let onTurn: @MainActor () -> Void

  init(flag: CancellationFlag, onTurn: @escaping @MainActor () -> Void) {
    self.flag = flag
    self.onTurn = onTurn
  }

  var isCancelled: Bool { flag.isCancelled }

  func turnEnded() { onTurn() }
}

/// Notifies the stores of a list's rows after each turn: those whose row has changed, or all of
/// them if the list's ids or a shared value have changed.
@MainActor
final class ListTurnNotifier<
  Parent, ParentAction: Sendable, ID: Hashable & Sendable, Row: Identifiable
>
where Row.ID == ID {
  private let parent: StoreCore<Parent, ParentAction>
  private let list: KeyPath<Parent, IdentifiedArray<ID, Row>>
  private var rows: [ID: WeakNotifier] = [:]
  private var seen: (ids: [ID], stamps: [UInt64])
  private var sharedStamp: UInt64
  private var observer: Observer?

  private struct WeakNotifier { weak var turns: RowTurnNotifier? }

  init(parent: StoreCore<Parent, ParentAction>, list: KeyPath<Parent, IdentifiedArray<ID, Row>>) {
    self.parent = parent
    self.list = list
    sharedStamp = parent.turns.sharedStamp
    seen = parent.read { ($0[keyPath: list].ids, $0[keyPath: list].stamps) } ?? ([], [])
    let observer = Observer(flag: CancellationFlag()) { [weak self] in self?.turnEnded() }
    self.observer = observer
    parent.turns.add(observer)
  }

  /// Returns the turns that change a row.
  func turns(of id: ID) -> TurnNotifier {
    if let turns = rows[id]?.turns { return turns }
    if rows.count > 2 * seen.ids.count + 64 { rows = rows.filter { $0.value.turns != nil } }
    let turns = RowTurnNotifier(list: self, sharedStamp: sharedStamp)
    rows[id] = WeakNotifier(turns: turns)
    return turns
  }

  private func turnEnded() {
    guard let new = parent.read({ ($0[keyPath: list].ids, $0[keyPath: list].stamps) }) else {
      return
    }
    let old = seen
    let stamp = parent.turns.sharedStamp
    // A changed shared value can affect any row.
    let isAnyRow = old.ids != new.0 || sharedStamp != stamp
    seen = new
    sharedStamp = stamp
    for index in new.1.indices where isAnyRow || new.1[index] != old.stamps[index] {
      rows[new.0[index]]?.turns?.end(sharedStamp: stamp)
    }
  }
}

/// The turns that change one row of a list.
@MainActor
final class RowTurnNotifier: TurnNotifier {
  /// Keeps the `ListTurnNotifier` that notifies this row alive.
  private let list: AnyObject

  init(list: AnyObject, sharedStamp: UInt64) {
    self.list = list
    super.init(sharedStamp: sharedStamp)
  }
}

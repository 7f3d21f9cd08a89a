import Composable
import Terminal
import TerminalExtras

/// A million rows in sections, and a table that can be sorted and filtered.
struct ListsFeature: Reducer {
  enum Focus: Equatable, Sendable { case numbers, people }

  struct State: Equatable, Sendable {
    var focus = Focus.people
    var numbers = ListPosition()
    var people = ListPosition()
    var sort = TableSort(column: 0)
    var filter = ListFilter()

    /// The rows of the table: those that match the filter, in the chosen order.
    var rows: [Person] {
      let found = Person.samples.filter { filter.matches("\($0.name) \($0.field)") }
      let sorted =
        switch sort.column {
        case 0: found.sorted { $0.name < $1.name }
        case 1: found.sorted { ($0.field, $0.name) < ($1.field, $1.name) }
        default: found.sorted { $0.born < $1.born }
        }
      return sort.isAscending ? sorted : sorted.reversed()
    }
  }

  enum Action: Equatable, Sendable {
    case focusMoved
    case numbersMoved(ListPosition)
    case peopleMoved(ListPosition)
    case sorted(Int)
    case filter(ListFilter.Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .focusMoved:
        state.focus = state.focus == .numbers ? .people : .numbers
      case .numbersMoved(let position):
        state.focus = .numbers
        state.numbers = position
      case .peopleMoved(let position):
        state.focus = .people
        state.people = position
      case .sorted(let column):
        state.sort = state.sort.toggled(column)
        state.people = ListPosition()
      case .filter(let action):
        state.focus = .people
        state.filter.apply(action)
        if case .edit = action { state.people = ListPosition() }
      }
      return .none
    }
  }
}

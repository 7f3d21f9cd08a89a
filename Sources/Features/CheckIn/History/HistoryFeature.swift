import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The check-ins of the last year: as a calendar, in figures and one by one (CHK-5).
struct HistoryFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// Newest first; only the latest until the year has been read.
    private(set) var checkIns: [CheckIn]
    var isLoading = true
    var failure: ErrorText?
    var position = ListPosition()

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      checkIns = snapshot.history
    }

    /// Shows what the store says now: a check-in from elsewhere joins the list.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      join(checkIns)
    }

    /// Older check-ins after the latest, which the snapshot has.
    fileprivate mutating func join(_ older: [CheckIn]) {
      let oldest = snapshot.history.last?.sequence ?? .max
      checkIns = snapshot.history + older.filter { $0.sequence < oldest }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case loaded([CheckIn])
    case loadFailed(CheckInError)
    case retryButtonTapped
    case moved(ListPosition)
    case closeButtonTapped
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened, .retryButtonTapped:
      state.isLoading = true
      state.failure = nil
      let start = state.snapshot.now - CheckInRecord.length
      return .run { [checkInClient] send in
        do throws(CheckInError) {
          await send(.loaded(try await checkInClient.historySince(start)))
        } catch {
          await send(.loadFailed(error))
        }
      }

    case .loaded(let checkIns):
      state.isLoading = false
      state.join(checkIns)
      return .none

    case .loadFailed(let error):
      state.isLoading = false
      state.failure = error.text
      return .none

    case .moved(let position):
      state.position = position
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }
}

import Clients
import Composable
import Domain
import Terminal

/// Chooses how much later an outing ends (OUT-3).
struct LaterFeature: Reducer {
  struct State: EntryChooserState {
    static let spans: [TimeSpan] = [
      .minutes(15), .minutes(30), .hours(1), .hours(2), .hours(4), .days(1),
    ]
    static let presetCount = spans.count

    /// The current snapshot.
    var snapshot: AccountSnapshot
    var position = ListPosition(selected: 0)
    var customText = TextInput(limit: 40)
    var error: ValidationError?
    var request = Request<Action>()

    init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    fileprivate func chosen() throws(ValidationError) -> TimeSpan {
      isCustom ? try TimeSpan(parsing: customText.text) : Self.spans[position.selected]
    }
  }

  enum Action: EntryChooserAction, Codable, Equatable {
    case moved(ListPosition)
    case customEdited(TextEdit)
    case chooseButtonTapped
    case closeButtonTapped
    case saved(User)
    case saveFailed(ClientError)
    case failureDismissed
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.move(to: position)
    case .customEdited(let edit): state.edit(edit)

    case .chooseButtonTapped:
      guard !state.request.isRunning, let outing = state.snapshot.user.outing else { return .none }
      do throws(ValidationError) {
        let change = OutingExtension(outing, by: try state.chosen())
        _ = try outing.extended(by: change.span, at: state.snapshot.now)
        state.request.begin()
        return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
          try await checkInClient.extendOuting(change)
        }
      } catch { state.error = error }

    case .closeButtonTapped: return .dismiss()
    case .saved: state.request.end()
    case .saveFailed(let error):
      state.request.fail(error.text(dateClient).ofOuting("You are NOT expected later"))
    case .failureDismissed: state.request.failure = nil
    }
    return .none
  }
}

struct LaterView: View {
  let store: StoreOf<LaterFeature>

  var body: some View {
    ChooserSheet(title: "Be back later by …", width: 52, rows: rows, store: store) {
      ChooserField(
        label: "Later by", placeholder: "45m, 3h, 2 days", digitTitle: "Another span", store: store)
      RequestView(
        store.request, store, progress: "One moment", retry: .other("Enter"),
        dismiss: .failureDismissed)
    }
  }

  private var rows: [ChooserRow] {
    let snapshot = store.snapshot
    return LaterFeature.State.spans.map { span in
      let end = try? snapshot.user.outing?.extended(by: span, at: snapshot.now).until
      let when = end.map { ", \(snapshot.calendar.describe($0, now: snapshot.now))" } ?? ""
      return ChooserRow(text: span.exactDescription + when)
    } + [ChooserRow(text: "another span")]
  }
}

extension LaterFeature: SheetFeature {
  static let element = pathElement { LaterFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    if case .saved = action { .closing } else { .none }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let user) = action { .out(user) } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    LaterView(store: store)
  }
}

extension LaterFeature.State: SheetState {
  mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
  func isObsolete(in snapshot: AccountSnapshot) -> Bool { snapshot.user.outing == nil }
}

import Clients
import Composable
import Domain
import Terminal

/// The check-ins that were made on this device and that the server hasn't received, or has refused
/// (OFF-2).
struct UnsentFeature: Reducer {
  struct State: Equatable, Sendable {
    var position = ListPosition()
    var isSending = false
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case sendButtonTapped
    case sent
    case dismissButtonTapped(Outbox.CheckIn.ID)
    case closeButtonTapped
  }

  @Dependency(\.offlineClient) var offlineClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.position = position

    case .sendButtonTapped:
      guard !state.isSending else { return .none }
      state.isSending = true
      return .run { [offlineClient] send in
        _ = await offlineClient.sendAlerts()
        _ = await offlineClient.sync()
        await send(.sent)
      }
    case .sent: state.isSending = false

    case .dismissButtonTapped(let id):
      return .run { [offlineClient] _ in await offlineClient.dismiss(id) }

    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The list of what waits, each with why.
struct UnsentView: View {
  let store: StoreOf<UnsentFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    let checkIns = snapshot.outbox.checkIns
    Sheet("Not received", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        if let alert = snapshot.unsentAlertText {
          Text(alert).bold().foreground(.danger)
          Text("")
        }
        List(
          checkIns, position: store.position, onMove: { store.send(.moved($0)) },
          onOpen: { dismiss($0) }
        ) { checkIn, _ in
          LabeledContent(
            snapshot.calendar.describe(checkIn.madeAt, now: snapshot.now),
            value: (checkIn.outing == nil ? "" : "I'm back: ")
              + (checkIn.refusal.map { "refused: \($0.description)" } ?? "waits for the server"),
            labelWidth: 18)
        } empty: {
          Text("The server has received every check-in.").foreground(.calm)
        }
        .frame(minHeight: 1, maxHeight: max(1, checkIns.count))
        Text("")
        if store.isSending {
          ProgressView("Sending")
        } else {
          Text("Your responders see the deadline of \(deadline). What waits is sent by itself.")
            .foreground(.dim)
        }
      }
      .padding(.horizontal, 1)
    }
    .commandIf(snapshot.outbox.hasWaiting, "s", "Send now") {
      store.send(.sendButtonTapped)
    }
    .commandIf(selected?.refusal != nil, "x", "Dismiss") {
      if let selected { dismiss(selected) }
    }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  private var deadline: String {
    snapshot.calendar.describe(snapshot.user.deadline.date, now: snapshot.now)
  }

  private var selected: Outbox.CheckIn? { store.position.row(of: snapshot.outbox.checkIns) }

  private func dismiss(_ checkIn: Outbox.CheckIn) {
    guard checkIn.refusal != nil else { return }
    store.send(.dismissButtonTapped(checkIn.id))
  }
}

extension UnsentFeature: SheetFeature {
  static let element = pathElement { UnsentFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    UnsentView(store: store, snapshot: snapshot)
  }
}

extension UnsentFeature.State: SheetState {}

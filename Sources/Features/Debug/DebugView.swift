import Clients
import Composable
import ComposableFoundation
import Domain
import Terminal

/// The app and, once F12 has opened it, the debug overlay.
struct DebugView: View {
  private let session: DebugSession
  private let calendar: CivilCalendar

  init(session: DebugSession) {
    self.session = session
    calendar = .local
  }

  init(session: DebugSession, calendar: CivilCalendar) {
    self.session = session
    self.calendar = calendar
  }

  var body: some View {
    Group {
      if isShown {
        AppView(store: shownApp).overlay {
          // Built last, so that it is above the app's sheets.
          SizeReader { size in
            DebugOverlay(
              store: session.overlay, size: size, calendar: calendar,
              raiseAlert: session.app.state.currentEmergency == nil ? nil : alert)
          }
        }
      } else {
        AppView(store: session.app)
      }
    }
    .command("f12", "Debug", isHidden: true, scope: .global) {
      session.overlay.send(.debugKeyPressed)
    }
  }

  /// Whether the overlay is visible. It is hidden while an alert is being raised or cancelled.
  private var isShown: Bool {
    session.overlay.form != .hidden && session.app.state.currentEmergency?.phase ?? .idle == .idle
  }

  /// The live app, or a recorded state of it, which ignores all actions.
  private var shownApp: StoreOf<AppFeature> {
    guard let state = session.overlay.recordedState else { return session.app }
    return Store(initialState: state) { EmptyReducer() }
  }

  /// Returns to the live app and presses the emergency key, which must work while a recorded state
  /// is shown.
  private func alert() {
    session.overlay.send(.nowButtonTapped)
    session.app.send(
      session.app.emergency == nil
        ? .main(.emergency(.emergencyKeyPressed)) : .emergency(.emergencyKeyPressed))
  }
}

/// The overlay in its current form, fitted to the screen.
struct DebugOverlay: View {
  let store: StoreOf<DebugFeature>
  let size: Size
  let calendar: CivilCalendar
  /// The action of the emergency key, or `nil` if there is no account to raise an alert for.
  let raiseAlert: (@MainActor () -> Void)?

  var body: some View {
    if size.columns >= AppView.smallest.columns, size.rows >= AppView.smallest.rows {
      let isLine = store.form == .line
      DockedPanel(
        height: isLine ? 1 : size.rows / 2 + 1, rowsBelow: 1,
        takesKeys: !isLine || store.moment != nil
      ) {
        if isLine {
          commands(DebugLine(store: store, calendar: calendar))
        } else {
          commands(DebugPanel(store: store, columns: size.columns, calendar: calendar))
        }
      }
    }
  }

  private func commands(_ view: some View) -> some View {
    let isPast = store.moment != nil
    return
      view
      .command("space", store.form == .line ? "Larger" : "Smaller") {
        store.send(.sizeButtonTapped)
      }
      .command("esc", isPast ? "Now" : "Close") {
        store.send(isPast ? .nowButtonTapped : .closeButtonTapped)
      }
      .commandIf(raiseAlert != nil, "!", EmergencyFeature.keyTitle) { raiseAlert?() }
      // Override `?`: the app's sheet of keys would open beneath the overlay.
      .command("?", "Keys", isHidden: true) {}
  }
}

extension View {
  /// Adds the keys that move back and forward through the recorded states.
  func timeTravel(_ store: StoreOf<DebugFeature>) -> some View {
    command("left", "Back", isEnabled: store.shownMoment > store.firstMoment) {
      store.send(.backButtonTapped)
    }
    .command("right", "Forward", isEnabled: store.moment != nil) {
      store.send(.forwardButtonTapped)
    }
  }
}

/// The overlay as one line: the selected moment and its action.
struct DebugLine: View {
  let store: StoreOf<DebugFeature>
  let calendar: CivilCalendar

  var body: some View {
    HStack(spacing: 2) {
      Text(" \(store.momentTitle)").bold().foreground(store.moment == nil ? .calm : .warning)
      if let index = store.shownEntry, let entry = store.history?.entries[index] {
        let title = ActionTitle(entry.action)
        Text(calendar.time(of: entry.date).clockWithSeconds).foreground(.dim)
        (Text(title.event) + Text(" \(title.path)").foreground(.dim))
          .frame(maxWidth: .max, alignment: .leading)
      } else {
        Text("the start").foreground(.dim).frame(maxWidth: .max, alignment: .leading)
      }
      Text("F12 opens ").foreground(.dim)
    }
    .lineLimit(1).frame(maxWidth: .max).background(.inactiveSelection)
    .timeTravel(store)
  }
}

extension DebugFeature.State {
  /// The title of the selected moment: the live app or a recorded state.
  var momentTitle: String {
    moment.map { "Recorded state \($0) of \(lastMoment)" } ?? "The app as it is now"
  }
}

extension CivilTime {
  /// The time of day with seconds, such as `07:52:04`.
  var clockWithSeconds: String { "\(clock):\(second < 10 ? "0" : "")\(second)" }
}

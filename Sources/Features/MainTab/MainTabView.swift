import Composable
import Domain
import Terminal

/// The tab line, the selected tab, and the emergency panel over it.
struct MainTabView: View {
  let store: StoreOf<MainTabFeature>

  var body: some View {
    VStack(spacing: 0) {
      TabBar(
        tabs: tabs, selected: store.selectedTab.rawValue, title: "LifeSignal",
        onSelect: { index in
          if let tab = MainTabFeature.Tab(rawValue: index) { store.send(.tabSelected(tab)) }
        }
      ) {
        WatchMark(status: store.snapshot.watch)
      }
      tab.frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    }
    .command(
      "!", "×5 Alert", isHidden: store.snapshot.activeManualAlert != nil, scope: .global,
      passesThroughFields: true
    ) {
      store.send(.emergency(.emergencyKeyPressed))
    }
    .commandIf(store.snapshot.watch?.monitors == 0, "w", "Start a monitor") {
      store.send(.watchButtonTapped)
    }
    .overlay {
      EmergencyView(
        store: store.scope(state: \.emergency, action: MainTabFeature.Action.emergencyCase),
        snapshot: store.snapshot)
    }
  }

  private var tabs: [TabItem] {
    let snapshot = store.snapshot
    return [
      TabItem("Check-In", badge: snapshot.user.deadline.status(at: snapshot.now).badge, key: "1"),
      TabItem("Responders", badge: snapshot.responders.isEmpty ? "!" : nil, key: "2"),
      TabItem("Dependents", key: "3"),
      TabItem(
        "Alerts",
        badge: snapshot.activeAlerts.isEmpty ? nil : "!\(snapshot.activeAlerts.count)", key: "4"),
      TabItem("Profile", key: "5"),
    ]
  }

  @ViewBuilder private var tab: some View {
    switch store.selectedTab {
    case .checkIn:
      CheckInView(
        store: store.scope(state: \.checkIn, action: MainTabFeature.Action.checkInCase),
        cancelAlert: { store.send(.emergency(.cancelButtonTapped)) })
    case .responders:
      RespondersView(
        store: store.scope(state: \.responders, action: MainTabFeature.Action.respondersCase))
    case .dependents:
      DependentsView(
        store: store.scope(state: \.dependents, action: MainTabFeature.Action.dependentsCase))
    case .alerts:
      AlertsView(
        store: store.scope(state: \.alerts, action: MainTabFeature.Action.alertsCase),
        cancelAlert: { store.send(.emergency(.cancelButtonTapped)) })
    case .profile:
      ProfileView(
        store: store.scope(state: \.profile, action: MainTabFeature.Action.profileCase))
    }
  }
}

/// Who watches, at the end of the tab line (WCH-1).
struct WatchMark: View {
  let status: WatchStatus?

  var body: some View {
    if let status {
      if status.monitors == 0 {
        Text("○ unwatched · w").bold().foreground(.danger)
      } else if status.problem != nil {
        Text("◐ cannot send").foreground(.warning)
      } else {
        Text(status.monitors == 1 ? "● watched" : "● watched by \(status.monitors)")
          .foreground(.calm)
      }
    }
  }
}

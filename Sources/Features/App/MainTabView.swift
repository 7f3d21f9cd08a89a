import Composable
import Domain
import FoundationEssentials
import Terminal

/// The tab bar, the selected tab, and the emergency panel above it.
struct MainTabView: View {
  let store: StoreOf<MainTabFeature>
  /// The width of the window.
  var columns = 80

  var body: some View {
    VStack(spacing: 0) {
      SizeReader { size in tabBar(size) }.frame(height: 1)
      if let stall = store.snapshot.stallText {
        Banner(stall.text, role: .danger)
        if let recovery = stall.recovery { Banner(recovery, role: .danger) }
      }
      if let report = store.snapshot.alerts.raisedByHand {
        AlertBanner(
          report: report, snapshot: store.snapshot, columns: columns,
          detailsKey: isEnterFree ? "Enter" : "!", hasSheet: store.state.hasSheet
        )
        .onTap { store.send(.emergency(.alertShown(report.alert))) }
      }
      DependentsBanner(
        snapshot: store.snapshot, columns: columns,
        isOnTheirTab: store.selectedTab == .dependents)
      PingsBanner(
        store: store.scope(state: \.pings, action: MainTabFeature.Action.pingsCase),
        key: store.selectedTab == .checkIn ? "g" : "Ctrl-G")
      view(of: store.selectedTab)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .overlay {
          ForEach(sheets, id: \.id) { SheetPath.view($0.store, store.snapshot) }
        }
    }
    // The alert's panel blocks this key: the rest of a message that was typed too late must not
    // cancel the alert.
    .commandIf(
      store.snapshot.alerts.raisedByHand != nil, "x", "Cancel alert",
      scope: store.emergency.phase == .idle ? .global : .local
    ) {
      store.send(.emergency(.cancelButtonTapped))
    }
    .overlay {
      PromptView(
        store: store.scope(state: \.prompt, action: MainTabFeature.Action.promptCase),
        isAway: store.snapshot.connection.isAway)
    }
    // A plain letter checks in on the first tab only; elsewhere the key must be one that isn't
    // typed by accident (CHK-9).
    .commandIf(
      !store.pings.senders.isEmpty && store.selectedTab == .checkIn, "g", "Answer pings"
    ) {
      store.send(.pings(.answerAllButtonTapped))
    }
    .command(
      "ctrl+g", store.pings.senders.isEmpty ? "Check in now" : "Answer pings",
      isHidden: true,
      scope: store.emergency.phase == .idle ? .global : .local
    ) {
      store.send(
        store.pings.senders.isEmpty
          ? .checkIn(.checkInButtonTapped) : .pings(.answerAllButtonTapped))
    }
    .command(
      "Alert",
      fullTitle: store.snapshot.alerts.raisedByHand == nil ? "Raise an alert" : "Show the alert",
      keywords: ["emergency"]
    ) {
      if let report = store.snapshot.alerts.raisedByHand {
        store.send(.emergency(.alertShown(report.alert)))
      } else {
        store.send(.emergency(.alertCommandChosen))
      }
    }
    .commandIf(
      store.snapshot.situation.watch.isMissing && store.snapshot.host == .thisMachine,
      "w", "Start a monitor"
    ) {
      store.send(.watchButtonTapped)
    }
    .commandIf(store.snapshot.alerts.raisedByHand != nil && isEnterFree, "enter", "Details") {
      if let report = store.snapshot.alerts.raisedByHand {
        store.send(.emergency(.alertShown(report.alert)))
      }
    }
    .sheetPathRoot(store.selectedTab.title)
    .emergency(store.emergencyStore, store.snapshot, isAsking: store.prompt.request != nil)
  }

  /// The sheets over the tab.
  private var sheets: [(id: StackElementID, store: StoreOf<SheetPath>)] {
    store.path.ids.compactMap { id in
      store.scope(id: id, state: \.path, action: MainTabFeature.Action.pathCase).map { (id, $0) }
    }
  }

  /// Whether Enter has no function on the selected tab.
  private var isEnterFree: Bool {
    switch store.selectedTab {
    case .checkIn: !store.checkIn.isButtonFocused
    case .profile: true
    case .responders, .dependents, .alerts: false
    }
  }

  private func tabBar(_ size: Size) -> some View {
    TabBar(
      tabs: tabs, selected: store.selectedTab.rawValue, title: "LifeSignal",
      onSelect: { index in
        if let tab = MainTabFeature.Tab(rawValue: index) { store.send(.tabSelected(tab)) }
      }
    ) {
      HStack(spacing: 2) {
        // On narrow windows the first tab's mark is enough; the tabs' names matter more.
        if store.snapshot.deadlineStatus == .paused, size.columns >= 100,
          store.snapshot.situation.watch.status != nil
        {
          Text("‖ paused until \(store.snapshot.pauseEndText)").foreground(.dim)
        }
        if let text = store.snapshot.unknownWatchText(columns: size.columns) {
          Text(text).bold().foreground(
            store.snapshot.unreachableSince == nil && store.snapshot.connection.isAway
              ? .warning : .danger)
        } else {
          WatchMark(
            situation: store.snapshot.situation,
            endsWithProgram: store.snapshot.watchEndsWithProgram, now: store.snapshot.now,
            isShort: size.columns < 80, isLong: size.columns >= 110)
        }
      }
    }
  }

  private var tabs: [TabItem] {
    let snapshot = store.snapshot
    return [
      TabItem(
        MainTabFeature.Tab.checkIn.title, short: "Check",
        badge: (snapshot.status == .alert ? snapshot.deadlineStatus : snapshot.status).badge
          ?? snapshot.alerts.missed.map { _ in CheckInStatus.nonResponsive.mark }, key: "1"),
      TabItem(MainTabFeature.Tab.responders.title, short: "Resp", badge: respondersBadge, key: "2"),
      TabItem(MainTabFeature.Tab.dependents.title, short: "Dep", badge: dependentsBadge, key: "3"),
      TabItem(MainTabFeature.Tab.alerts.title, badge: alertsBadge, key: "4"),
      TabItem(MainTabFeature.Tab.profile.title, short: "Prof", key: "5"),
    ]
  }

  private var respondersBadge: String? {
    let snapshot = store.snapshot
    let offers = snapshot.situation.calls.offers(of: .responder)
    if offers > 0 { return "◌\(offers)" }
    return snapshot.hasNoResponders ? "!" : nil
  }

  /// The number of dependents who need the person now, or else of open requests.
  private var dependentsBadge: String? {
    let calls = store.snapshot.situation.calls
    let urgent = calls.inAlert.count + calls.nonResponsive.count
    guard urgent == 0 else {
      return "\((calls.inAlert.isEmpty ? CheckInStatus.nonResponsive : .alert).mark)\(urgent)"
    }
    let offers = calls.offers(of: .dependent)
    return offers > 0 ? "◌\(offers)" : nil
  }

  /// The number of active alerts, or else of unread notifications.
  private var alertsBadge: String? {
    let (active, unread) = (store.snapshot.activeEmergencies.count, store.snapshot.unreadCount)
    if active > 0 { return "!\(active)" }
    return unread > 0 ? "\(unread)" : nil
  }

  @ViewBuilder fileprivate func view(of tab: MainTabFeature.Tab) -> some View {
    switch tab {
    case .checkIn:
      CheckInView(
        store: store.scope(state: \.checkIn, action: MainTabFeature.Action.checkInCase))
    case .responders:
      RespondersView(
        store: store.scope(state: \.responders, action: MainTabFeature.Action.respondersCase))
    case .dependents:
      DependentsView(
        store: store.scope(state: \.dependents, action: MainTabFeature.Action.dependentsCase))
    case .alerts:
      AlertsView(
        store: store.scope(state: \.alerts, action: MainTabFeature.Action.alertsCase))
    case .profile:
      ProfileView(
        store: store.scope(state: \.profile, action: MainTabFeature.Action.profileCase),
        hasSheet: !store.path.isEmpty)
    }
  }
}

extension MainTabFeature.Tab {
  var title: String {
    switch self {
    case .checkIn: "Check-In"
    case .responders: "Responders"
    case .dependents: "Dependents"
    case .alerts: "Alerts"
    case .profile: "Profile"
    }
  }
}

extension StoreOf<MainTabFeature> {
  /// The commands of every tab for the palette. Each switches to its tab first (PAL-1).
  @MainActor var commandsOfTabs: [PaletteCommand] {
    MainTabFeature.Tab.allCases.flatMap { tab in
      MainTabView(store: self).view(of: tab)
        .declaredCommands(size: Size(columns: 80, rows: 24))
        .map { command in
          PaletteCommand(
            Command(
              key: command.key, title: command.title, fullTitle: command.fullTitle,
              keywords: command.keywords
            ) {
              self.send(.tabSelected(tab))
              command.action()
            }, in: tab.title)
        }
    } + pings
  }

  /// A command for each dependent who can be pinged.
  @MainActor private var pings: [PaletteCommand] {
    self.snapshot.situation.calls.pingable.map { contact in
      PaletteCommand(
        Command(key: nil, title: "Ping \(contact.name)") {
          self.send(.tabSelected(.dependents))
          self.send(.dependents(.opened(contact.id)))
          self.send(toSheet: ContactDetailsFeature.self, .pingButtonTapped)
        }, in: MainTabFeature.Tab.dependents.title)
    }
  }

  var emergencyStore: StoreOf<EmergencyFeature> {
    scope(state: \.emergency, action: MainTabFeature.Action.emergencyCase)
  }
}

extension View {
  /// Adds the emergency key and its panel above the view (ALT-1), in windows of any size.
  func emergency(
    _ store: StoreOf<EmergencyFeature>, _ snapshot: AccountSnapshot, rowsAbove: Int = 1,
    isAsking: Bool = false
  ) -> some View {
    command(
      "!", EmergencyFeature.keyTitle,
      isHidden: snapshot.alerts.raisedByHand != nil || !store.phase.acceptsPresses, scope: .global
    ) {
      if let report = snapshot.alerts.raisedByHand {
        store.send(.alertShown(report.alert))
      } else {
        store.send(.emergencyKeyPressed)
      }
    }
    .overlay {
      EmergencyView(store: store, snapshot: snapshot, rowsAbove: rowsAbove, isAsking: isAsking)
    }
  }

  /// Adds the emergency key while the account can't be loaded: a client may still be able to store
  /// an alert.
  @ViewBuilder func emergencyWithoutAccount(
    _ store: StoreOf<AppFeature>, rowsAbove: Int = 1
  ) -> some View {
    if let emergency = store.scope(state: \.emergency, action: AppFeature.Action.emergencyCase),
      let unread = store.unread
    {
      self.emergency(emergency, unread, rowsAbove: rowsAbove)
    } else {
      self
    }
  }
}

/// The banner on every tab for dependents who have an active alert or are non-responsive.
struct DependentsBanner: View {
  let snapshot: AccountSnapshot
  /// The width of the window.
  let columns: Int
  let isOnTheirTab: Bool

  var body: some View {
    let (people, overdue) = (
      snapshot.situation.calls.inAlert, snapshot.situation.calls.nonResponsive
    )
    if let newest = people.first {
      let name = newest.name.truncated(to: 24)
      let others = people.count - 1
      let responding =
        others == 0 && columns >= 80
        ? newest.helpers.map { " · responding: \($0.truncated(to: 32))" } ?? "" : ""
      Banner(
        others == 0
          ? "\(name) needs help\(responding)"
          : "\(name) and \(others) other\(others == 1 ? "" : "s") need help",
        role: .danger, hint: isOnTheirTab ? nil : "3 Details")
    } else if let first = overdue.first {
      let name = first.name.truncated(to: 24)
      let others = overdue.count - 1
      Banner(
        others == 0
          ? "\(name) has not checked in"
          : "\(name) and \(others) other\(others == 1 ? "" : "s") have not checked in",
        role: .danger, hint: isOnTheirTab ? nil : "3 Details")
    }
  }
}

/// The watch status at the end of the tab bar (WCH-1).
struct WatchMark: View {
  let situation: Situation
  /// Whether the monitor ends with this program.
  var endsWithProgram = false
  let now: Date
  /// Whether there is space for little more than the mark.
  let isShort: Bool
  /// Whether there is space for a reason.
  let isLong: Bool

  var body: some View {
    if let status = situation.watch.status {
      if status.monitors == 0 {
        // A standby that works notices that no monitor runs.
        if situation.watch.standby(at: now) != nil {
          Text("◐ standby").foreground(.warning)
        } else {
          Text("○ unwatched").bold().foreground(.danger)
        }
      } else if let silence = status.silence(at: now) {
        Text("◐ \(isShort ? "" : "seen ")\(silence.ageDescription)").foreground(.warning)
      } else if let problem = situation.watch.problem?.reason {
        let reason = problem.prefix { $0 != ";" && $0 != ":" }
        Text(isLong && reason.count <= 30 ? "◐ \(reason)" : "◐ unsent").foreground(.warning)
      } else if situation.reach.failedMailTest != nil {
        Text("◐ unsent").foreground(.warning)
      } else if status.notice != nil {
        Text("◐ settings").foreground(.warning)
      } else if endsWithProgram {
        Text(isShort ? "◐ till quit" : isLong ? "◐ watched until you quit" : "◐ until you quit")
          .foreground(.warning)
      } else {
        let isGuarded = situation.reach.unreachableReason == nil
        let mark = isGuarded ? "●" : "◐"
        Text(status.monitors == 1 ? "\(mark) watched" : "\(mark) watched by \(status.monitors)")
          .foreground(isGuarded ? .calm : .warning)
      }
    }
  }
}

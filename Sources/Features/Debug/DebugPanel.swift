import Clients
import Composable
import ComposableFoundation
import Domain
import Terminal

/// The overlay as a panel: the actions on the left, and on the right the changes of the selected
/// action, the running effects, the last calls of clients or the overridden dependencies. A wide
/// screen shows all four.
struct DebugPanel: View {
  let store: StoreOf<DebugFeature>
  let columns: Int
  let calendar: CivilCalendar

  private var isWide: Bool { columns >= 110 }

  var body: some View {
    HStack(spacing: 0) {
      actions.frame(width: isWide ? 42 : 34)
      if isWide {
        changes(isSelected: true)
        VStack(spacing: 0) {
          effects(isSelected: false)
          calls(isSelected: false)
          dependencies(isSelected: false)
        }
        .frame(width: 36)
      } else {
        switch store.pane {
        case .changes: changes(isSelected: true)
        case .effects: effects(isSelected: true)
        case .calls: calls(isSelected: true)
        case .dependencies: dependencies(isSelected: true)
        }
      }
    }
  }

  // MARK: Actions

  private var actions: some View {
    let moments = Array(store.firstMoment...store.lastMoment)
    return List(
      moments,
      position: ListPosition(
        selected: store.shownMoment - store.firstMoment, offset: store.offset),
      isFocused: false, onMove: { store.send(.moved($0)) }
    ) { moment, _ in
      row(moment - store.firstMoment - 1)
    }
    .frame(maxWidth: .max, maxHeight: .max)
    .border(
      title: store.moment == nil ? "Debug · now" : "Debug · recorded state",
      footer: "\(store.shownMoment) of \(store.lastMoment)",
      role: store.moment == nil ? .focusedBorder : .warning
    )
    .timeTravel(store)
  }

  @ViewBuilder private func row(_ index: Int) -> some View {
    HStack(spacing: 1) {
      if index >= 0, let entry = store.history?.entries[index] {
        let title = ActionTitle(entry.action)
        Text(calendar.time(of: entry.date).clockWithSeconds).foreground(.dim)
        (Text(title.event) + Text(" \(title.path)").foreground(.dim))
          .frame(maxWidth: .max, alignment: .leading)
      } else {
        Text("the start").foreground(.dim).frame(maxWidth: .max, alignment: .leading)
      }
    }
    .lineLimit(1)
  }

  // MARK: Panes

  private func changes(isSelected: Bool) -> some View {
    pane(.changes, isSelected: isSelected) {
      if let index = store.shownEntry, let history = store.history {
        let states = history.states(at: index)
        let title = ActionTitle(history.entries[index].action)
        if !title.path.isEmpty { Text(title.path).foreground(.dim).lineLimit(1) }
        Text(title.event).bold().lineLimit(2)
        let lines = StateChanges(from: states.before, to: states.after).lines
        if lines.isEmpty { Text("changed nothing").foreground(.dim) }
        ForEach(lines.indices) { self.line(lines[$0]) }
      } else {
        Text("Nothing has happened before this.").foreground(.dim)
      }
    }
  }

  private func line(_ line: StateChanges.Line) -> some View {
    let (sign, role): (String, ThemeRole) =
      switch line.kind {
      case .removed: ("- ", .danger)
      case .added: ("+ ", .calm)
      case .context: ("  ", .dim)
      }
    return Text(sign + line.text).foreground(role).lineLimit(1)
  }

  private func effects(isSelected: Bool) -> some View {
    pane(.effects, isSelected: isSelected) {
      let effects = EffectCount.counts(of: store.effects)
      if effects.isEmpty { Text("none").foreground(.dim) }
      ForEach(effects.indices) { index in
        HStack(spacing: 1) {
          Text(effects[index].title)
          if effects[index].count > 1 { Text("×\(effects[index].count)").foreground(.dim) }
          Spacer()
          Text(effects[index].place).foreground(.dim)
        }
        .lineLimit(1)
      }
    }
  }

  /// The calls, newest first, with what failed and how the last request to a server went.
  private func calls(isSelected: Bool) -> some View {
    pane(.calls, isSelected: isSelected) {
      if store.calls.isEmpty { Text("none").foreground(.dim) }
      ForEach(store.calls.indices) { index in
        let call = store.calls[store.calls.count - 1 - index]
        HStack(spacing: 1) {
          Text(call.operation)
          if call.details.retries > 0 { Text("×\(call.details.retries + 1)").foreground(.warning) }
          Spacer()
          Text("\(call.details.milliseconds) ms").foreground(.dim)
        }
        .lineLimit(1)
        if let request = call.details.request { Text("  " + request).foreground(.dim).lineLimit(1) }
        if let error = call.error { Text("  " + error).foreground(.danger).lineLimit(2) }
      }
    }
  }

  private func dependencies(isSelected: Bool) -> some View {
    pane(.dependencies, isSelected: isSelected) {
      if store.dependencies.isEmpty { Text("none").foreground(.dim) }
      ForEach(store.dependencies.indices) { Text(store.dependencies[$0]).lineLimit(1) }
    }
  }

  /// A bordered pane. The keys scroll the selected one.
  private func pane(
    _ pane: DebugFeature.Pane, isSelected: Bool, @ViewBuilder content: () -> some View
  ) -> some View {
    ScrollView(
      offset: isSelected ? store.paneOffset : 0, isFocused: isSelected,
      onScroll: { store.send(.paneScrolled($0)) }
    ) {
      VStack(alignment: .leading, spacing: 0) { content() }
        .frame(maxWidth: .max, alignment: .topLeading)
    }
    .padding(.horizontal, 1)
    .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
    .border(title: pane.title(store), footer: isSelected ? "↑↓ scrolls" : nil)
    .commandIf(!isWide, "tab", pane.next.name) { store.send(.nextPaneButtonTapped) }
  }
}

extension DebugFeature.Pane {
  var name: String {
    switch self {
    case .changes: "Changes"
    case .effects: "Effects"
    case .calls: "Calls"
    case .dependencies: "Dependencies"
    }
  }

  /// The name, with the number of items listed.
  @MainActor func title(_ store: StoreOf<DebugFeature>) -> String {
    switch self {
    case .changes: name
    case .effects: "\(name) in flight: \(store.effects.count)"
    case .calls: "\(name) of clients: \(store.calls.count)"
    case .dependencies: "\(name) set: \(store.dependencies.count)"
    }
  }
}

extension LogEntry.Call {
  /// The last request to a server, and its result.
  fileprivate var request: String? {
    guard let endpoint else { return nil }
    return [endpoint, status.map(String.init) ?? cause].compactMap(\.self).joined(separator: " · ")
  }
}

/// A group of effects with the same origin and ids, such as a feature's streams.
struct EffectCount: Equatable {
  var effect: EffectInFlight
  var count: Int

  static func counts(of effects: [EffectInFlight]) -> [EffectCount] {
    var counts: [EffectCount] = []
    for effect in effects {
      if let last = counts.indices.last, counts[last].effect == effect {
        counts[last].count += 1
      } else {
        counts.append(EffectCount(effect: effect, count: 1))
      }
    }
    return counts
  }

  /// The ids that cancel the effect, shortened: `streams` for `AppFeature.CancelID.streams`, since
  /// ``place`` already names the feature.
  var title: String {
    let ids = effect.ids.map { id in
      id.hasPrefix("\"") ? Substring(id) : id.split(separator: ".").last ?? ""
    }
    return ids.isEmpty ? "no id" : ids.joined(separator: ", ")
  }

  /// The effect's origin, such as `AppFeature.swift:214`.
  var place: String {
    let location = effect.location
    let file = location.fileID.split(separator: "/").last ?? ""
    return "\(file):\(location.line)"
  }
}

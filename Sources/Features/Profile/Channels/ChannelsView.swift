import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The sheet of somebody's channels.
struct ChannelsView: View {
  let store: StoreOf<ChannelsFeature>

  private static let visibleRows = 8

  var body: some View {
    let channels = store.state.channels
    Sheet(title, width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          channels, position: store.position, onMove: { store.send(.moved($0)) },
          onOpen: { _ in store.send(.logButtonTapped) }
        ) { channel, _ in
          ChannelLine(channel: channel, snapshot: store.snapshot).padding(.trailing, 1)
        } empty: {
          Text("None. Press a to add one.").foreground(.dim)
        }
        .frame(height: min(max(1, channels.count), Self.visibleRows))
        Text("")
        if let failure = store.failure {
          Banner(failure.sentence, role: .danger)
        } else {
          Text(store.notice ?? explanation).foreground(store.notice == nil ? .dim : .calm)
        }
        if store.contact == nil { ToldNowhere(snapshot: store.snapshot) }
      }
      .padding(.horizontal, 1)
    }
    .command("a", "Add") { store.send(.addButtonTapped) }
    .with(commands)
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .overlay {
      if let channel = store.removing { removal(channel) }
      if let shown = store.shown { secret(shown) }
      destination
    }
  }

  private var title: String {
    store.state.holder.map { "Channels of \($0.name)" } ?? "Your channels"
  }

  private var explanation: String {
    guard store.contact == nil else { return "They are told on each of them." }
    return store.snapshot.channels.muted.isEmpty
      ? "Reminders reach you on each of them."
      : "Alerts, and that your deadline passed, are told on each of them."
  }

  private var commands: [Command] {
    guard let channel = store.state.selected else { return [] }
    var commands = [
      Command(key: "t", title: "Send a test") { store.send(.testButtonTapped) },
      Command(key: "l", title: "Log") { store.send(.logButtonTapped) },
    ]
    if store.contact == nil {
      commands.append(
        Command(key: "w", title: "What it tells") { store.send(.topicsButtonTapped) })
    }
    if channel.kind == .webhook || channel.kind == .ntfy {
      commands.append(Command(key: "v", title: "Show secret") { store.send(.secretButtonTapped) })
    }
    if !store.state.isOfProfile(channel) {
      commands.append(Command(key: "x", title: "Remove") { store.send(.removeButtonTapped) })
    }
    return commands
  }

  private func removal(_ channel: Channel) -> some View {
    Dialog(
      title: "Remove this channel?",
      message: "Nothing is sent any more to \(channel.shortAddress).",
      role: .danger,
      buttons: [
        DialogButton("Keep", key: "esc") { store.send(.removalCancelled) },
        DialogButton("Remove", key: "y", role: .danger) { store.send(.removalConfirmed) },
      ])
  }

  private func secret(_ shown: NewChannel) -> some View {
    let message =
      switch (shown.secret, shown.channel.kind) {
      case (nil, _): "This channel has no secret."
      case (let secret?, .webhook):
        "Whoever receives this webhook needs it to know that a message is from here:\n\n"
          + secret.value
      case (let secret?, _): "The access token of this topic:\n\n" + secret.value
      }
    return Dialog(
      title: "Secret of \(shown.channel.shortAddress)", message: message,
      buttons: [DialogButton("Close", key: "esc") { store.send(.secretClosed) }])
  }

  @ViewBuilder private var destination: some View {
    if let destination = store.scope(
      state: \.$destination, action: ChannelsFeature.Action.destinationCase)
    {
      if let form = destination.scope(
        state: ChannelsFeature.Destination.State.formCase,
        action: ChannelsFeature.Destination.Action.formCase)
      {
        ChannelFormView(store: form)
      } else if let log = destination.scope(
        state: ChannelsFeature.Destination.State.logCase,
        action: ChannelsFeature.Destination.Action.logCase)
      {
        ChannelLogView(store: log, snapshot: store.snapshot)
      } else if let gate = destination.scope(
        state: ChannelsFeature.Destination.State.gateCase,
        action: ChannelsFeature.Destination.Action.gateCase)
      {
        GateView(store: gate)
      } else if let topics = destination.scope(
        state: ChannelsFeature.Destination.State.topicsCase,
        action: ChannelsFeature.Destination.Action.topicsCase)
      {
        ChannelTopicsView(store: topics, snapshot: store.snapshot)
      }
    }
  }
}

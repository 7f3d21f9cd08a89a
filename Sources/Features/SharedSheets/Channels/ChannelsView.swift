import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The sheet with the channels of the person or of a contact.
struct ChannelsView: View {
  let store: StoreOf<ChannelsFeature>

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
        .frame(minHeight: 1, maxHeight: max(1, channels.count))
        Text("")
        if let failure = store.request.failure {
          ErrorView(failure, store, dismiss: .failureDismissed)
        } else if store.request.isRunning {
          ProgressView("One moment")
        } else {
          Text(store.notice ?? explanation).foreground(store.notice == nil ? .dim : .calm)
        }
        if store.contact == nil { UnsentTopicsWarning(snapshot: store.snapshot) }
      }
      .padding(.horizontal, 1)
    }
    .command("a", "Add") { store.send(.addButtonTapped) }
    .with(commands)
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .overlay {
      if let channel = store.removing { removal(channel) }
      if let shown = store.shown { secret(shown) }
    }
  }

  private var title: String {
    store.state.holder.map { "Channels of \($0.name)" } ?? "Your channels"
  }

  private var explanation: String {
    guard store.contact == nil else { return "Messages are sent to each of them." }
    return store.snapshot.channels.muted.isEmpty
      ? "Reminders are sent to each of them."
      : "Alerts and missed deadlines are sent to each of them."
  }

  private var commands: [Command] {
    guard let channel = store.state.selected else { return [] }
    var commands = [
      Command(key: "t", title: "Send a test") { store.send(.testButtonTapped) },
      Command(key: "l", title: "Log") { store.send(.logButtonTapped) },
    ]
    if store.contact == nil {
      commands.append(
        Command(key: "w", title: "Reminders") { store.send(.topicsButtonTapped) })
    }
    if channel.kind == .webhook || channel.kind == .ntfy {
      let title = channel.kind == .ntfy ? "Access token" : "Show secret"
      commands.append(Command(key: "v", title: title) { store.send(.secretButtonTapped) })
    }
    if !store.state.isOfProfile(channel) {
      commands.append(Command(key: "x", title: "Remove") { store.send(.removeButtonTapped) })
    }
    return commands
  }

  private func removal(_ channel: Channel) -> some View {
    store.ask(
      "Remove this channel?", "Nothing more is sent to \(channel.shortAddress).", role: .danger,
      no: ("Keep", .removalCancelled), yes: ("Remove", .removalConfirmed))
  }

  private func secret(_ shown: NewChannel) -> some View {
    let message =
      switch (shown.secret, shown.channel.kind) {
      case (nil, .ntfy): "No access token is saved for this topic."
      case (nil, _): "This channel has no secret."
      case (let secret?, .webhook):
        "The receiver of this webhook needs it to check that a message is from here:\n\n"
          + secret.value
      case (let secret?, _): "The access token of this topic:\n\n" + secret.value
      }
    return Dialog(
      title: "Secret of \(shown.channel.shortAddress)", message: message,
      buttons: [DialogButton("Close", key: "esc") { store.send(.secretClosed) }])
  }
}

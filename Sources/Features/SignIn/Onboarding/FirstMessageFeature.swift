import Clients
import Composable
import Domain
import Terminal

/// The last step of opening an account: a test message to the first responder. It ends with a message
/// that was sent, or says in so many words that nobody can be notified yet (ONB-4).
struct FirstMessageFeature: Reducer {
  struct State: Equatable, Sendable {
    let user: User
    /// The first responder's name.
    let responder: String
    let kind: Channel.Kind
    /// Whether there is a mail account; `nil` until that is known.
    var hasMail: Bool?
    var phase = Phase.offered
    @Presents var mail: MailFeature.State?

    enum Phase: Equatable, Sendable {
      case offered, sending
      case done(FirstMessageResult)
    }

    /// Whether mail has to be set up before anything can be sent.
    var needsMail: Bool { kind == .email && hasMail == false }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case settingsRead(SMTPSettings?)
    case sendButtonTapped
    case mailButtonTapped
    case sent(FirstMessageResult)
    case failed(ClientError)
    case finishButtonTapped
    case mail(PresentationAction<MailFeature.Action>)

    static let mailCase = CasePath(Self.mail) { if case .mail(let it) = $0 { it } else { nil } }
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.mailSettingsClient) var mailSettingsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .opened:
        guard state.kind == .email else { return .none }
        return .request(Action.settingsRead, or: Action.failed) { () throws(ClientError) in
          try await mailSettingsClient.settings()
        }
      case .settingsRead(let smtp): state.hasMail = smtp != nil

      case .sendButtonTapped:
        guard state.phase != .sending else { return .none }
        guard !state.needsMail else { return .send(.mailButtonTapped) }
        state.phase = .sending
        return send(to: state.responder)
      case .mailButtonTapped:
        state.mail = MailFeature.State(address: state.user.profile.email)
        return .send(.mail(.presented(.opened)))
      case .mail(.presented(.saved)): state.hasMail = true

      case .sent(let result): state.phase = .done(result)
      case .failed(let error):
        state.phase = .done(FirstMessageResult(error: error.text.sentence))
      case .finishButtonTapped, .mail: break
      }
      return .none
    }
    .ifLet(\.$mail, action: Action.mailCase) { MailFeature() }
  }

  private func send(to responder: String) -> Effect<Action> {
    .request(Action.sent, or: Action.failed) { () throws(ClientError) in
      let contact = try await contactsClient.contacts().first { $0.name == responder }
      guard let channel = contact?.channels.first else { throw .channelNotFound }
      let test = ChannelTest(channelsClient, watchClient, clock: clock)
      return FirstMessageResult(try await test.run(on: channel.id))
    }
  }
}

/// What became known of the first message.
struct FirstMessageResult: Codable, Equatable, Sendable {
  /// Why it was not sent; `nil` where a server accepted it.
  var error: String?

  init(error: String?) { self.error = error }

  /// - Parameter report: The message; `nil` where it has no result yet.
  init(_ report: DeliveryReport?) {
    error =
      report?.state == .sent
      ? nil : report.map { $0.error ?? "no reason was given" } ?? "no monitor took it yet"
  }
}

/// The last step's screen, inside the frame of the onboarding.
struct FirstMessageView: View {
  let store: StoreOf<FirstMessageFeature>

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text("Send \(store.responder) a test message").bold()
      Text("Then ask them whether it arrived.").foreground(.dim)
      Text("")
      status
    }
    .command(
      "enter", isSent ? "Continue" : store.needsMail ? "Set up mail" : "Send test"
    ) { store.send(isSent ? .finishButtonTapped : .sendButtonTapped) }
    .commandIf(store.kind == .email && !store.needsMail && !isSent, "m", "Mail") {
      store.send(.mailButtonTapped)
    }
    .command("esc", "Later", isHidden: isSent) { store.send(.finishButtonTapped) }
  }

  private var isSent: Bool { store.phase == .done(FirstMessageResult(error: nil)) }

  @ViewBuilder private var status: some View {
    switch store.phase {
    case .offered where store.needsMail:
      Text("! Mail isn't set up: \(store.responder) can't be notified yet.").bold()
        .foreground(.danger)
      Text("Enter sets it up. Esc does it later, under Profile.").foreground(.dim)
    case .offered: Text("Enter sends it now. Esc skips the test.").foreground(.dim)
    case .sending: Text("Sending …").foreground(.dim)
    case .done(let result):
      if let error = result.error {
        Text("! Not sent: \(error)\(error.hasSuffix(".") ? "" : ".")").bold().foreground(.danger)
        Text("\(store.responder) can't be notified yet. Enter tries again, Esc does it later.")
          .foreground(.dim)
      } else {
        Text("✓ Sent. Ask \(store.responder) whether it arrived.").bold().foreground(.calm)
      }
    }
  }
}

import Clients
import Composable
import Domain
import Terminal

/// The last step of onboarding: a test message to the first responder. Until one is sent, the
/// screen says that the responder can't be notified yet (ONB-4).
struct FirstMessageFeature: Reducer {
  struct State: Equatable, Sendable {
    let user: User
    /// The first responder's name.
    let responder: String
    /// The first responder's channel.
    let channel: ChannelDraft
    /// Whether mail is set up, or `nil` until that is known.
    var hasMail: Bool?
    var phase = Phase.offered
    /// Whether the instructions for the responder were copied.
    var isCopied = false
    /// The QR code of the topic's address, while it is on screen.
    var code: [[Bool]]?
    @Presents var mail: MailFeature.State?

    enum Phase: Equatable, Sendable {
      case offered, sending
      case done(FirstMessageResult)
    }

    /// Whether mail must be set up before anything can be sent.
    var needsMail: Bool { channel.kind == .email && hasMail == false }

    /// Whether a server accepted the test message.
    var isSent: Bool { phase == .done(FirstMessageResult(error: nil)) }

    /// The topic to subscribe to, or `nil` for another kind of channel.
    var topic: NtfyTopic? { channel.kind == .ntfy ? NtfyTopic(channel.address) : nil }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case settingsRead(MailTransport?)
    case sendButtonTapped
    case mailButtonTapped
    case copyButtonTapped
    case codeButtonTapped
    case codeDrawn([[Bool]])
    case codeClosed
    case sent(FirstMessageResult)
    case failed(ClientError)
    case finishButtonTapped
    /// Goes back to the responder's name and address.
    case backButtonTapped
    case mail(PresentationAction<MailFeature.Action>)

    static let mailCase = CasePath(Self.mail) { if case .mail(let it) = $0 { it } else { nil } }
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.mailSettingsClient) var mailSettingsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.clipboardClient) var clipboardClient
  @Dependency(\.qrCodeClient) var qrCodeClient
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .opened:
        guard state.channel.kind == .email else { return .none }
        return .request(Action.settingsRead, or: Action.failed) { () throws(ClientError) in
          try await mailSettingsClient.settings()
        }
      case .settingsRead(let transport): state.hasMail = transport != nil

      case .sendButtonTapped:
        guard state.phase != .sending else { return .none }
        guard !state.needsMail else { return .send(.mailButtonTapped) }
        state.phase = .sending
        return send(to: state.responder)
      case .mailButtonTapped:
        state.mail = MailFeature.State(address: state.user.profile.email)
        return .send(.mail(.presented(.opened)))
      case .mail(.presented(.tested(let result))) where result.isSent: state.hasMail = true
      case .mail(.presented(.kept)):
        state.hasMail = true
        state.phase = .done(FirstMessageResult(error: state.mail?.result?.text))

      case .copyButtonTapped:
        guard let topic = state.topic else { return .none }
        state.isCopied = true
        return .run { [clipboardClient] _ in await clipboardClient.copy(topic.invitation) }
      case .codeButtonTapped:
        guard let topic = state.topic else { return .none }
        // If the code can't be made, the topic can still be typed.
        return .run { [qrCodeClient] send in
          if let code = try? await qrCodeClient.modules(topic.address) {
            await send(.codeDrawn(code))
          }
        }
      case .codeDrawn(let code): state.code = code
      case .codeClosed: state.code = nil

      case .sent(let result): state.phase = .done(result)
      case .failed(let error):
        state.phase = .done(FirstMessageResult(error: error.text.sentence))
      case .finishButtonTapped, .backButtonTapped, .mail: break
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

/// A first message that was neither sent nor postponed, stored as the document
/// `settings/first-message`.
struct OpenFirstMessage: Codable, Equatable, Sendable {
  /// The first responder's name.
  var responder: String
}

/// The result of the first message.
struct FirstMessageResult: Codable, Equatable, Sendable {
  /// Why the message wasn't sent, or `nil` if a server accepted it.
  var error: String?

  init(error: String?) { self.error = error }

  /// - Parameter report: The message's report, or `nil` if it has no result yet.
  init(_ report: DeliveryReport?) { error = ChannelTest.failure(report) }
}

import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The root: who is here, which of the two screens they see, the clock, and the streams from the
/// store.
struct AppFeature: Reducer {
  struct State: Equatable, Sendable {
    /// Asked until the first account has been opened, and again for a further one.
    var onboarding: OnboardingFeature.State?
    /// Who is there? Asked while nobody is signed in; it stays under the onboarding of a further
    /// account.
    var authentication: AuthenticationFeature.State?
    /// The tabs, once the account has been read.
    var main: MainTabFeature.State?
    /// A link whose place is not there yet.
    var link: DeepLink?
    /// Why there is nothing to show.
    var failure: ErrorText?
    /// What the emergency key does while there is nothing to show: until the account is read and no
    /// alert is being raised.
    var emergency: EmergencyFeature.State?
    /// What its panel shows of the account.
    var unread: AccountSnapshot?
    /// Whether what keeps the accounts answers.
    var connection = ConnectionState.local
    var toast: Toast?
    /// Whether an alert's panel has kept it from sight.
    var isToastHeld = false
    /// The sheet with all keys.
    var isShowingKeys = false
    /// All commands, found by typing.
    var palette: Palette?
    /// The titles of the commands that were chosen in it, the last first.
    var recentCommands: [String] = []
    /// Whether to ask before leaving, since something typed is not saved, or an alert is on or not sent.
    var isConfirmingQuit = false
    /// Notifications that were there when the last of them came; `nil` before the first look.
    var knownNotifications: Set<NotificationItem.ID>?
    /// Since when what the first look finds is news, where the app began with what was last known: its server may
    /// have been away for a while. `nil` where what is there at first is no news.
    var newsStart: Date?
    /// The program ends once this is set.
    var isFinished = false

  }

  enum Action: Codable, Equatable, Sendable {
    /// The program has started.
    case started
    /// Go to the place of a link as soon as it is there.
    case linkOpened(DeepLink)
    case accountFound(User)
    case accountMissing
    /// The last step of opening the account was left open.
    case firstMessageLeft(responder: String, ChannelDraft)
    /// There are accounts, and nobody is signed in.
    /// - Parameters:
    ///   - email: The address that the program was started for.
    ///   - notice: Why nobody is.
    case signInNeeded(email: String?, notice: String?)
    /// Somebody signed in or out, here or elsewhere (AUTH-2).
    case authStateChanged(AuthState)
    case accountFailed(ErrorText)
    case connectionChanged(ConnectionState)
    case retryButtonTapped
    case userChanged(User)
    case contactsChanged([Contact])
    /// What the first screen says of the contacts, before all of them are read.
    case contactOverviewRead(ContactOverview)
    case historyChanged([CheckIn])
    case recordChanged(CheckInRecord)
    case alertsChanged([AlertReport])
    case armedChanged(ArmedAlert?)
    case notificationsChanged([NotificationItem])
    /// They were so when the server last answered.
    case lastNotificationsFound([NotificationItem])
    case watchChanged(WatchStatus)
    case appearanceChanged(Appearance)
    case listsChanged(ListChoices)
    case channelsChanged(ChannelOverview)
    /// A stream from the store ended with an error, and is opened again after a while.
    case streamFailed(AccountSnapshot.Part, ErrorText)
    /// A stream that had failed says something again.
    case streamResumed(AccountSnapshot.Part)
    /// A stream found that nobody is signed in.
    case sessionEnded
    case monitorFailed(ErrorText)
    /// Something visible changes now.
    case ticked
    case resumed
    case toastExpired
    case keysButtonTapped
    case keysClosed
    case paletteButtonTapped
    case paletteEdited(TextEdit)
    case paletteMoved(ListPosition)
    case paletteClosed
    /// The command of that title is carried out.
    case paletteUsed(String)
    /// What was chosen is a command for the shell.
    case shellCommandChosen(String)
    case quitButtonTapped
    case quitConfirmed
    case quitCancelled
    /// The answer to the question before leaving: the alert that is being raised goes out now.
    case sendAlertButtonTapped
    case onboarding(OnboardingFeature.Action)
    case authentication(AuthenticationFeature.Action)
    case main(MainTabFeature.Action)
    case emergency(EmergencyFeature.Action)

    static let emergencyCase = CasePath(Self.emergency) {
      if case .emergency(let action) = $0 { action } else { nil }
    }
    static let onboardingCase = CasePath(Self.onboarding) {
      if case .onboarding(let action) = $0 { action } else { nil }
    }
    static let authenticationCase = CasePath(Self.authentication) {
      if case .authentication(let action) = $0 { action } else { nil }
    }
    static let mainCase = CasePath(Self.main) { if case .main(let it) = $0 { it } else { nil } }
  }

  /// What is typed into the palette of commands, and where its list stands.
  struct Palette: Equatable, Sendable {
    var query = TextInput(limit: 60)
    var position = ListPosition()

  }

  /// A short message at the bottom right, for three seconds.
  struct Toast: Equatable, Sendable {
    var text: String
    var tone: Tone

    init(_ text: String, _ tone: Tone = .calm) {
      self.text = text
      self.tone = tone
    }

    enum Tone: Equatable, Sendable { case calm, warning, danger }
  }

  enum CancelID: Hashable, Sendable { case account, connection, streams, tick, toast }

  @Dependency(\.accountHost) var accountHost
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.notificationClient) var notificationClient
  @Dependency(\.attentionClient) var attentionClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.storageClient) var storageClient
  @Dependency(\.secretPromptClient) var secretPromptClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  /// How many check-ins and alerts the screens hold.
  static let historyLimit = 100
  /// How many notifications the screens hold.
  static let notificationLimit = 500
  static let toastDuration = Duration.seconds(3)
  /// How much of the lead of a server's clock may not be known before what is news looks old.
  static let clockTolerance = TimeSpan.seconds(30)
  /// How long a monitor may take to begin with an alert.
  static let insistenceDelay = Duration.seconds(3)
  /// When what could not be read is read again. An error that does not pass by itself is no exception:
  /// a store is restored by another program.
  static let retryPolicy = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0, ceiling: 10)

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started: return .merge(findAccount(), observeConnection())
      case .retryButtonTapped: return findAccount()

      case .linkOpened(let link):
        state.link = link
        return state.followLink()

      case .accountFound(let user):
        let isNew = state.onboarding != nil
        state.onboarding = nil
        state.authentication = nil
        state.knownNotifications = nil
        state.newsStart = nil
        var snapshot = AccountSnapshot(
          user: user, host: accountHost, now: dateClient.now(), calendar: dateClient.calendar)
        snapshot.connection = state.connection
        state.main = MainTabFeature.State(snapshot: snapshot)
        return .merge(
          state.endFailure(), state.followLink(), observeStore(), startMonitor(),
          scheduleTick(state), showPortrait(state), isNew ? .none : findFirstMessage())

      case .firstMessageLeft(let responder, let channel):
        guard let user = state.main?.snapshot.user, state.isEmergencyIdle, !state.isAlertOn,
          dateClient.now() < user.deadline.date
        else { return .none }
        state.onboarding = OnboardingFeature.State(
          resuming: .init(user: user, responder: responder, channel: channel),
          calendar: dateClient.calendar, host: accountHost)
        return .send(.onboarding(.firstMessage(.opened)))

      case .accountMissing:
        state.onboarding = OnboardingFeature.State(
          calendar: dateClient.calendar, host: accountHost)
        return state.endFailure()

      case .signInNeeded(let email, let notice):
        state.authentication = AuthenticationFeature.State(
          email: email, notice: notice, host: accountHost)
        return state.endFailure()

      case .authStateChanged(let authState):
        guard let user = state.main?.snapshot.user, authState != .signedIn(user.id) else {
          return .none
        }
        return endSession(&state)

      case .accountFailed(let error):
        state.failure = error
        if state.emergency == nil {
          state.emergency = EmergencyFeature.State()
          state.unread = .unread(now: dateClient.now(), calendar: dateClient.calendar)
          state.unread?.connection = state.connection
        }

      case .connectionChanged(let connection):
        state.connection = connection
        state.unread?.connection = connection
        return update(&state) { $0.connection = connection }

      case .userChanged(let user):
        let show = update(&state) { $0.user = user }
        return .merge(show, showPortrait(state))
      case .contactsChanged(let contacts):
        let show = Effect.merge(update(&state) { $0.contacts = contacts }, state.followLink())
        guard case .contact = state.link else { return show }
        state.link = nil
        return .merge(show, self.show(Toast("This contact doesn't exist.", .warning), in: &state))
      case .contactOverviewRead(let overview): return update(&state) { $0.expect(overview) }
      case .historyChanged(let history): return update(&state) { $0.history = history }
      case .recordChanged(let record): return update(&state) { $0.record = record }
      case .alertsChanged(let alerts):
        var show = update(&state) { $0.alerts = alerts }
        state.main?.emergency.closePanel(ofEndedAlertIn: alerts)
        if state.toast == .endIsSent, let unsent = state.main?.checkIn.unsentEnd {
          // What was said of the messages has turned out otherwise.
          show = .merge(show, self.show(Toast(unsent.unsentEndText, .danger), in: &state))
        }
        let armed = state.main?.emergency.armed?.id
        guard let raised = alerts.first(where: { $0.id == armed })?.alert else { return show }
        // A monitor was faster.
        return .merge(show, .send(.main(.emergency(.raised(raised)))))
      case .armedChanged(let armed):
        // One that was begun before the account was read is counted down where it was begun.
        guard state.main != nil, state.emergency == nil else { return .none }
        return .send(.main(.emergency(.armedChanged(armed))))
      case .notificationsChanged(let items):
        let call = call(for: items, in: &state)
        return .merge(update(&state) { $0.notifications = items }, call)
      case .lastNotificationsFound(let items):
        guard state.main != nil, state.knownNotifications == nil else { return .none }
        state.newsStart = dateClient.now() - Self.clockTolerance
        return update(&state) { $0.expect(items) }
      case .watchChanged(let watch):
        let wasWatched = (state.main?.snapshot.watch?.monitors ?? 0) > 0
        let show = update(&state) { $0.watch = watch }
        // One that died is replaced, once: should that one die too, something else is wrong.
        return wasWatched && watch.monitors == 0 ? .merge(show, startMonitor()) : show
      case .appearanceChanged(let appearance): return update(&state) { $0.appearance = appearance }
      case .listsChanged(let lists): return update(&state) { $0.lists = lists }
      case .channelsChanged(let channels): return update(&state) { $0.channels = channels }
      case .ticked, .resumed: return update(&state) { _ in }
      case .sessionEnded: return endSession(&state)
      case .streamFailed(let part, let error):
        let now = dateClient.now()
        return update(&state) { $0.note(error, of: part, at: now) }
      case .streamResumed(let part): return update(&state) { $0.stalls[part] = nil }

      case .monitorFailed(let error):
        return show(
          Toast("No monitor could be started: \(error.description)", .danger), in: &state)

      case .toastExpired:
        // A warning that an alert's panel keeps from sight is shown when that is closed.
        guard state.isEmergencyIdle || state.toast?.tone == .calm else {
          state.isToastHeld = true
          return expireToast()
        }
        guard !state.isToastHeld else {
          state.isToastHeld = false
          return expireToast()
        }
        state.toast = nil
      case .keysButtonTapped: state.isShowingKeys = true
      case .keysClosed: state.isShowingKeys = false
      case .paletteButtonTapped: state.palette = Palette()
      case .paletteEdited(let edit):
        state.palette?.query.apply(edit)
        state.palette?.position = ListPosition()
      case .paletteMoved(let position): state.palette?.position = position
      case .paletteClosed: state.palette = nil
      case .paletteUsed(let title):
        state.recentCommands.removeAll { $0 == title }
        state.recentCommands.insert(title, at: 0)
      case .shellCommandChosen(let line):
        return show(Toast("Type in a shell: \(line)"), in: &state)

      case .quitButtonTapped:
        if state.isRaisingAlert || state.isAlertOn || state.hasUnsavedChanges {
          state.isConfirmingQuit = true
        } else {
          state.isFinished = true
        }
      case .quitConfirmed:
        state.isConfirmingQuit = false
        state.isFinished = true
      case .quitCancelled: state.isConfirmingQuit = false

      case .sendAlertButtonTapped:
        // The person stays to see who is notified.
        state.isConfirmingQuit = false
        return .send(
          state.emergency == nil
            ? .main(.emergency(.sendNowButtonTapped)) : .emergency(.sendNowButtonTapped))

      case .onboarding(.finished(let user)):
        guard state.onboarding?.asksForStandby == true else { return .send(.accountFound(user)) }
        return .concatenate(
          .send(.accountFound(user)), .send(.main(.checkIn(.standbyButtonTapped))))

      case .onboarding(.left): state.onboarding = nil
      case .authentication(.signedIn): return findAccount()

      case .authentication(.signUpChecked(let credentials)):
        state.onboarding = OnboardingFeature.State(
          calendar: dateClient.calendar, credentials: credentials, host: accountHost,
          inviter: state.authentication?.inviter)

      case .authentication(.codeSent):
        // Somebody has to send it.
        return startMonitor()

      case .main(let action): return announce(action, in: &state)

      case .emergency(.raised(let alert)), .emergency(.moreSent(let alert)):
        state.isConfirmingQuit = false
        return .merge(startMonitor(), insist(on: alert.id), state.endFailure())
      case .emergency: return state.endFailure()
      case .onboarding, .authentication: break
      }
      return .none
    }
    .ifLet(\.onboarding, action: Action.onboardingCase) { OnboardingFeature() }
    .ifLet(\.authentication, action: Action.authenticationCase) { AuthenticationFeature() }
    .ifLet(\.main, action: Action.mainCase) { MainTabFeature() }
    .ifLet(\.emergency, action: Action.emergencyCase) { EmergencyFeature() }
  }
}

extension AppFeature.State {
  /// Goes to the place of the link, if it is there.
  fileprivate mutating func followLink() -> Effect<AppFeature.Action> {
    guard let link, main?.open(link) == true else { return .none }
    self.link = nil
    return main?.pictureRequest(for: link).map { .send(.main($0)) } ?? .none
  }

  /// Whether it was found out who is here.
  private var isAccountKnown: Bool { main != nil || onboarding != nil || authentication != nil }

  /// Shows what was read instead of the failure, unless an alert is being raised: that comes first.
  fileprivate mutating func endFailure() -> Effect<AppFeature.Action> {
    guard isAccountKnown, emergency?.phase.isRaising != true else { return .none }
    let phase = emergency?.phase
    failure = nil
    emergency = nil
    unread = nil
    guard case .raised(let alert) = phase, main != nil else { return .none }
    return .send(.main(.emergency(.alertShown(alert))))
  }

  /// What raises and cancels an alert now.
  var currentEmergency: EmergencyFeature.State? { emergency ?? main?.emergency }

  /// Whether no alert is being raised, shown or cancelled.
  var isEmergencyIdle: Bool { currentEmergency.map { $0.phase == .idle } ?? true }

  /// Whether an alert was begun that is not on yet.
  var isRaisingAlert: Bool { currentEmergency?.phase.isRaising ?? false }
  /// Whether it goes out whatever happens to this program (ALT-7).
  var isAlertArmed: Bool { isRaisingAlert && currentEmergency?.armed?.isStored == true }

  /// Whether it may go out, as far as is known: nobody has answered yet.
  var mayAlertBeArmed: Bool {
    isRaisingAlert
      && currentEmergency?.armed.map { $0.isStored || $0.isStoring || $0.mayBeStored } == true
  }

  /// Whether an alert that was raised by hand is on.
  var isAlertOn: Bool { main?.snapshot.activeManualAlert != nil }

  /// Whether leaving now would lose something typed.
  var hasUnsavedChanges: Bool {
    onboarding?.isChanged ?? main?.hasUnsavedChanges ?? false
  }
}

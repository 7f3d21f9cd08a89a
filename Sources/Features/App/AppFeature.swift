import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The root feature: finds the signed-in account, chooses the screen, and runs the clock and the
/// streams from the store.
struct AppFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The onboarding, for the first account and for each further one.
    var onboarding: OnboardingFeature.State?
    /// The sign-in screen while nobody is signed in. It stays beneath the onboarding of a further
    /// account.
    var authentication: AuthenticationFeature.State?
    /// The tabs, once the account is loaded.
    var main: MainTabFeature.State?
    /// A link to something that isn't loaded yet.
    var link: DeepLink?
    /// Why the account can't be loaded.
    var failure: ErrorText?
    /// The emergency feature while the account can't be loaded. It stays until the account is
    /// loaded and no alert is being raised.
    var emergency: EmergencyFeature.State?
    /// The placeholder account for its panel.
    var unread: AccountSnapshot?
    /// The connection to the store or server that has the accounts.
    var connection = ConnectionState.local
    var toast: ToastMessage?
    /// Whether an alert's panel has hidden the toast, which then shows once the panel closes.
    var isToastHeld = false
    /// The kinds of keys that did nothing and were explained.
    var explainedKeys: Set<UnusedKey> = []
    /// The text that was copied, shown so that it can be selected where the terminal doesn't copy.
    var copiedText: Secret<String>?
    /// Whether the sheet with all keys is open.
    var isShowingKeys = false
    /// The command palette, if it is open.
    var palette: Palette?
    /// This terminal's settings, which other programs can change.
    @Shared(.terminalSettings) var terminalSettings = TerminalSettings()
    /// Whether the terminal has the keyboard focus, as far as it says so.
    var isActive = true
    /// Whether the app asks before quitting, because of unsaved changes or an alert that is on or
    /// not sent.
    var isConfirmingQuit = false
    /// The notifications of the last update, or `nil` before the first.
    var knownNotifications: Set<NotificationItem.ID>?
    /// The time from which notifications in the first update are new, if the app started with
    /// cached data because its server may have been away. If `nil`, notifications in the first
    /// update aren't new.
    var newNotificationsStart: Date?
    /// Whether the program must end.
    var isFinished = false

  }

  enum Action: Codable, Equatable, Sendable {
    /// The program has started.
    case started
    /// Opens a link once its target is loaded.
    case linkOpened(DeepLink)
    case accountFound(User)
    case accountMissing
    /// The last step of onboarding, the first message, was neither done nor skipped.
    case firstMessageLeft(responder: String, ChannelDraft)
    /// There are accounts, but nobody is signed in.
    /// - Parameters:
    ///   - email: The address with which the program was started.
    ///   - notice: The reason why nobody is signed in.
    case signInNeeded(email: String?, notice: String?)
    /// A session began or ended, here or elsewhere (AUTH-2).
    case authStateChanged(AuthState)
    case accountFailed(ErrorText)
    case retryButtonTapped
    /// A stream brought a change of the account's data, or failed.
    case changed(AccountSnapshot.Change)
    /// The choices that an earlier version kept with the account were read.
    case settingsAdopted(Appearance?, ListChoices?)
    /// The settings can't be read or kept.
    case settingsFailed(String)
    /// The settings at the start of a recording.
    case settingsRecorded(TerminalSettings)
    /// The terminal got the keyboard focus or lost it.
    case activeChanged(Bool)
    /// A stream reported that nobody is signed in.
    case sessionEnded
    /// The server has received check-ins that waited.
    /// - Parameter user: The person as the server sees them since; `nil` if it didn't answer.
    case checkInsReceived([Outbox.CheckIn], User?)
    case monitorFailed(ErrorText)
    /// The time for the next visible change has come.
    case ticked
    case resumed
    case toastExpired
    /// A key was pressed that does nothing here.
    case unusedKeyPressed(UnusedKey, String)
    /// A text was pasted where no field takes it, or a link into the palette.
    case pasted(PastedText)
    /// A text was sent to the terminal's clipboard, which may have refused it.
    case textCopied(Secret<String>)
    case copiedTextClosed
    case keysButtonTapped
    case keysClosed
    case paletteButtonTapped
    case paletteEdited(TextEdit)
    case paletteMoved(ListPosition)
    case paletteClosed
    /// The command with this title was chosen.
    case paletteUsed(String)
    /// A shell command was chosen.
    case shellCommandChosen(String)
    case quitButtonTapped
    case quitConfirmed
    case quitCancelled
    /// The answer to the question before quitting: send the alert now.
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

  enum SignInState: Equatable, Sendable {
    case unauthenticated
    /// It is being found out who is signed in, or somebody is being signed in.
    case authenticating
    case authenticated
  }

  /// The query and list position of the command palette.
  struct Palette: Equatable, Sendable {
    var query = TextInput(limit: 60)
    var position = ListPosition()

  }

  enum CancelID: Hashable, Sendable { case account, authState, connection, streams, tick, toast }

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
  @Dependency(\.offlineClient) var offlineClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  /// The largest number of check-ins and alerts on screen.
  static let historyLimit = 100
  /// The largest number of notifications on screen.
  static let notificationLimit = 500
  static let toastDuration = Duration.seconds(3)
  /// The tolerated error in the measured lead of the server's clock. Beyond it, new notifications
  /// look old.
  static let clockTolerance = TimeSpan.seconds(30)
  /// The time a monitor has to start on an alert before another one is started.
  static let stallTimeout = Duration.seconds(3)

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started: return .merge(findAccount(), observeApp())
      case .retryButtonTapped: return findAccount()

      case .linkOpened(let link):
        state.link = link
        return .merge(state.followLink(), dropUnknownContact(&state))

      case .accountFound(let user):
        let isNew = state.onboarding != nil
        state.onboarding = nil
        state.authentication = nil
        state.knownNotifications = nil
        state.newNotificationsStart = nil
        var snapshot = AccountSnapshot(
          user: user, host: accountHost, now: dateClient.now(), calendar: dateClient.calendar)
        snapshot.connection = state.connection
        state.main = MainTabFeature.State(snapshot: snapshot)
        return .merge(
          state.endFailure(), state.followLink(), observeAccount(), adoptSettings(state),
          startMonitor(), scheduleTick(state), showPortrait(state),
          isNew ? .none : findFirstMessage())

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
        if let user = state.main?.snapshot.user {
          return authState == .signedIn(user.id) ? .none : endSession(&state)
        }
        // Another program on this machine has signed in.
        guard case .signedIn = authState, state.isSignInOpen else { return .none }
        return findAccount()

      case .accountFailed(let error):
        state.failure = error
        if state.emergency == nil {
          state.emergency = EmergencyFeature.State()
          state.unread = .unread(now: dateClient.now(), calendar: dateClient.calendar)
          state.unread?.connection = state.connection
          state.unread?.host = accountHost
          state.unread?.outbox = offlineClient.outbox()
        }

      case .changed(let change): return follow(change, in: &state)
      case .settingsAdopted(let appearance, let lists):
        state.$terminalSettings.withLock { $0.adopt(appearance, lists) }
        return update(&state) { _ in }
      case .settingsFailed(let text): return showToast(ToastMessage(text, .warning), in: &state)
      case .settingsRecorded(let settings): state.$terminalSettings.withLock { $0 = settings }
      case .activeChanged(let isActive): state.isActive = isActive
      case .ticked, .resumed: return update(&state) { _ in }
      case .sessionEnded: return endSession(&state)
      case .checkInsReceived(let received, let user):
        return announce(received, user, in: &state)
      case .monitorFailed(let error):
        return showToast(
          ToastMessage("No monitor could be started: \(error.description)", .danger), in: &state)

      case .toastExpired:
        // A warning hidden by an alert's panel is shown once the panel closes.
        guard state.isEmergencyIdle || state.toast?.tone == .calm else {
          state.isToastHeld = true
          return expireToast()
        }
        guard !state.isToastHeld else {
          state.isToastHeld = false
          return expireToast()
        }
        state.toast = nil
      case .unusedKeyPressed(let kind, let key):
        guard state.main != nil, state.isEmergencyIdle,
          state.explainedKeys.insert(kind).inserted
        else { return .none }
        return showToast(ToastMessage(kind.explanation(of: key)), in: &state)

      case .pasted(let pasted):
        guard state.main != nil, state.isEmergencyIdle else { return .none }
        switch pasted {
        case .link where state.hasUnsavedChanges:
          return showToast(
            ToastMessage("Save or close this form first, then paste the link again.", .warning),
            in: &state)
        case .link(let link):
          state.palette = nil
          return .send(.linkOpened(link))
        case .invitation:
          return showToast(
            ToastMessage("That is an invitation. Type in a shell: lifesignal join, and the link."),
            in: &state)
        case .other:
          return showToast(
            ToastMessage("Nothing here takes text. A lifesignal:// link would open."), in: &state)
        }

      case .textCopied(let text): state.copiedText = text
      case .copiedTextClosed: state.copiedText = nil
      case .keysButtonTapped: state.isShowingKeys = true
      case .keysClosed: state.isShowingKeys = false
      case .paletteButtonTapped: state.palette = Palette()
      case .paletteEdited(let edit):
        if case .insert(let text) = edit, case .link = PastedText(text) {
          return .send(.pasted(PastedText(text)))
        }
        state.palette?.query.apply(edit)
        state.palette?.position = ListPosition()
      case .paletteMoved(let position): state.palette?.position = position
      case .paletteClosed: state.palette = nil
      case .paletteUsed(let title):
        state.$terminalSettings.withLock { $0.use(title) }
      case .shellCommandChosen(let line):
        return showToast(ToastMessage("Type in a shell: \(line)"), in: &state)

      case .quitButtonTapped:
        // Ctrl-C again is an answer, too, except where it would lose an alert.
        if state.isConfirmingQuit, !state.isRaisingAlert {
          state.isConfirmingQuit = false
          state.isFinished = true
        } else if state.isRaisingAlert || state.isAlertOn || state.hasUnsavedChanges
          || state.main?.snapshot.outbox.refused.isEmpty == false
        {
          state.isConfirmingQuit = true
        } else {
          state.isFinished = true
        }
      case .quitConfirmed:
        state.isConfirmingQuit = false
        state.isFinished = true
      case .quitCancelled: state.isConfirmingQuit = false

      case .sendAlertButtonTapped:
        // Don't quit, so that the person sees who is notified.
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
        // A monitor must send it.
        return startMonitor()

      case .main(let action): return announce(action, in: &state)

      case .emergency(.raised(let alert)), .emergency(.moreSent(let alert)):
        state.isConfirmingQuit = false
        return .merge(
          startMonitor(), startAnotherMonitorIfStalled(for: alert.id), state.endFailure())
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
  /// Opens the pending link if its target is loaded.
  mutating func followLink() -> Effect<AppFeature.Action> {
    guard let link, let actions = main?.open(link) else { return .none }
    self.link = nil
    return .merge(actions.map { .send(.main($0)) })
  }

  /// Whether the sign-in screen waits for the person.
  fileprivate var isSignInOpen: Bool {
    onboarding == nil && signInState == .unauthenticated && authentication != nil
  }

  /// Who is signed in, as far as the app knows (AUTH-2).
  var signInState: AppFeature.SignInState {
    if main != nil { return .authenticated }
    // An account that is found or created replaces the form, which stays busy until then.
    let isAsking = authentication?.form.isSaving ?? (onboarding?.form.isSaving ?? true)
    return isAsking ? .authenticating : .unauthenticated
  }

  /// Whether it is known if someone is signed in.
  private var isAccountKnown: Bool { main != nil || onboarding != nil || authentication != nil }

  /// Replaces the failure with the loaded screen, unless an alert is being raised.
  fileprivate mutating func endFailure() -> Effect<AppFeature.Action> {
    guard isAccountKnown, emergency?.phase.isRaising != true else { return .none }
    let phase = emergency?.phase
    failure = nil
    emergency = nil
    unread = nil
    guard case .raised(let alert) = phase, main != nil else { return .none }
    return .send(.main(.emergency(.alertShown(alert))))
  }

  /// The emergency feature in use.
  var currentEmergency: EmergencyFeature.State? { emergency ?? main?.emergency }

  /// Whether no alert is being raised, shown or cancelled.
  var isEmergencyIdle: Bool { currentEmergency.map { $0.phase == .idle } ?? true }

  /// Whether an alert is on its way but isn't on yet.
  var isRaisingAlert: Bool { currentEmergency?.phase.isRaising ?? false }
  /// Whether the alert is sent even if this process ends (ALT-7).
  var isAlertArmed: Bool { isRaisingAlert && currentEmergency?.armed?.isStored == true }

  /// Whether the alert may be sent even if this process ends, including while a request to store it
  /// has no answer yet.
  var mayAlertBeArmed: Bool {
    isRaisingAlert
      && currentEmergency?.armed.map { $0.isStored || $0.isStoring || $0.mayBeStored } == true
  }

  /// Whether an alert raised by hand is on.
  var isAlertOn: Bool { main?.snapshot.alerts.raisedByHand != nil }

  /// Whether quitting would lose unsaved changes.
  var hasUnsavedChanges: Bool {
    onboarding?.isChanged ?? main?.hasUnsavedChanges ?? false
  }
}

import Clients
public import Composable
public import Domain
public import FoundationEssentials
public import Terminal

/// The root: who is here, which of the two screens they see, the clock, and the streams from the
/// store.
public struct AppFeature: Reducer {
  public struct State: Equatable, Sendable {
    /// Asked until the first account has been opened, and again for a further one.
    public var onboarding: OnboardingFeature.State?
    /// Who is there? Asked while nobody is signed in; it stays under the onboarding of a further
    /// account.
    public var authentication: AuthenticationFeature.State?
    /// The tabs, once the account has been read.
    public var main: MainTabFeature.State?
    /// A link whose place is not there yet.
    public var link: DeepLink?
    /// Why there is nothing to show.
    public var failure: ErrorText?
    public var toast: Toast?
    /// The sheet with all keys.
    public var isShowingKeys = false
    /// All commands, found by typing.
    public var palette: Palette?
    /// Whether to ask before leaving, since something typed is not saved or an alert is not sent.
    public var isConfirmingQuit = false
    /// Notifications that were there when the last of them came; `nil` before the first look.
    public var knownNotifications: Set<NotificationItem.ID>?
    /// The program ends once this is set.
    public var isFinished = false

    public init() {}
  }

  public enum Action: Codable, Equatable, Sendable {
    /// The program has started.
    case started
    /// Go to the place of a link as soon as it is there.
    case linkOpened(DeepLink)
    case accountFound(User)
    case accountMissing
    /// There are accounts, and nobody is signed in.
    /// - Parameters:
    ///   - email: The address that the program was started for.
    ///   - notice: Why nobody is.
    case signInNeeded(email: String?, notice: String?)
    /// Somebody signed in or out, here or elsewhere (AUTH-2).
    case authStateChanged(AuthState)
    case accountFailed(ErrorText)
    case retryButtonTapped
    case userChanged(User)
    case contactsChanged([Contact])
    case historyChanged([CheckIn])
    case recordChanged(CheckInRecord)
    case alertsChanged([AlertReport])
    case notificationsChanged([NotificationItem])
    case watchChanged(WatchStatus)
    case appearanceChanged(Appearance)
    case listsChanged(ListChoices)
    /// A stream from the store ended with an error.
    case streamFailed(ErrorText)
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
    case quitButtonTapped
    case quitConfirmed
    case quitCancelled
    /// The answer to the question before leaving: the alert that is being raised goes out now.
    case sendAlertButtonTapped
    case onboarding(OnboardingFeature.Action)
    case authentication(AuthenticationFeature.Action)
    case main(MainTabFeature.Action)

    static let onboardingCase = CasePath(Self.onboarding) {
      if case .onboarding(let action) = $0 { action } else { nil }
    }
    static let authenticationCase = CasePath(Self.authentication) {
      if case .authentication(let action) = $0 { action } else { nil }
    }
    static let mainCase = CasePath(Self.main) {
      if case .main(let action) = $0 { action } else { nil }
    }
  }

  /// What is typed into the palette of commands, and where its list stands.
  public struct Palette: Equatable, Sendable {
    public var query = TextInput(limit: 60)
    public var position = ListPosition()

    public init() {}
  }

  /// A short message at the bottom right, for three seconds.
  public struct Toast: Equatable, Sendable {
    public var text: String
    public var tone: Tone

    public init(_ text: String, _ tone: Tone = .calm) {
      self.text = text
      self.tone = tone
    }

    public enum Tone: Equatable, Sendable { case calm, warning, danger }
  }

  enum CancelID: Hashable, Sendable { case streams, tick, toast }

  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.notificationClient) var notificationClient
  @Dependency(\.attentionClient) var attentionClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.storageClient) var storageClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  /// How many check-ins and alerts the screens hold.
  public static let historyLimit = 100
  /// How many notifications the screens hold.
  public static let notificationLimit = 500
  public static let toastDuration = Duration.seconds(3)
  /// How long a monitor may take to begin with an alert.
  public static let insistenceDelay = Duration.seconds(3)

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .started, .retryButtonTapped:
        state.failure = nil
        return findAccount()

      case .linkOpened(let link):
        state.link = link
        state.followLink()
        return .none

      case .accountFound(let user):
        state.onboarding = nil
        state.authentication = nil
        state.failure = nil
        state.knownNotifications = nil
        state.main = MainTabFeature.State(
          snapshot: AccountSnapshot(
            user: user, now: dateClient.now(), calendar: dateClient.calendar))
        state.followLink()
        return .merge(observeStore(), startMonitor(), scheduleTick(state))

      case .accountMissing:
        state.onboarding = OnboardingFeature.State(calendar: dateClient.calendar)
        return .none

      case .signInNeeded(let email, let notice):
        state.authentication = AuthenticationFeature.State(email: email, notice: notice)
        return .none

      case .authStateChanged(let authState):
        guard let user = state.main?.snapshot.user, authState != .signedIn(user.id) else {
          return .none
        }
        return endSession(&state)

      case .accountFailed(let error):
        state.failure = error
        return .none

      case .userChanged(let user):
        return update(&state) { $0.user = user }
      case .contactsChanged(let contacts):
        let show = update(&state) { $0.contacts = contacts }
        state.followLink()
        guard case .contact = state.link else { return show }
        state.link = nil
        return .merge(show, self.show(Toast("There is no such contact.", .warning), in: &state))
      case .historyChanged(let history):
        return update(&state) { $0.history = history }
      case .recordChanged(let record):
        return update(&state) { $0.record = record }
      case .alertsChanged(let alerts):
        return update(&state) { $0.alerts = alerts }
      case .notificationsChanged(let items):
        let call = call(for: items, in: &state)
        return .merge(update(&state) { $0.notifications = items }, call)
      case .watchChanged(let watch):
        let wasWatched = (state.main?.snapshot.watch?.monitors ?? 0) > 0
        let show = update(&state) { $0.watch = watch }
        // One that died is replaced, once: should that one die too, something else is wrong.
        return wasWatched && watch.monitors == 0 ? .merge(show, startMonitor()) : show
      case .appearanceChanged(let appearance):
        return update(&state) { $0.appearance = appearance }
      case .listsChanged(let lists):
        return update(&state) { $0.lists = lists }
      case .ticked, .resumed:
        return update(&state) { _ in }

      case .streamFailed(let error) where error.code == AuthError.notAuthenticated.text.code:
        return endSession(&state)

      case .streamFailed(let error):
        state.failure = error
        return .merge(.cancel(id: CancelID.streams), .cancel(id: CancelID.tick))

      case .monitorFailed(let error):
        return show(
          Toast("No monitor could be started: \(error.description)", .danger), in: &state)

      case .toastExpired:
        state.toast = nil
        return .none

      case .keysButtonTapped:
        state.isShowingKeys = true
        return .none
      case .keysClosed:
        state.isShowingKeys = false
        return .none

      case .paletteButtonTapped:
        state.palette = Palette()
        return .none
      case .paletteEdited(let edit):
        state.palette?.query.apply(edit)
        state.palette?.position = ListPosition()
        return .none
      case .paletteMoved(let position):
        state.palette?.position = position
        return .none
      case .paletteClosed:
        state.palette = nil
        return .none

      case .quitButtonTapped:
        if state.isRaisingAlert || state.hasUnsavedChanges {
          state.isConfirmingQuit = true
        } else {
          state.isFinished = true
        }
        return .none
      case .quitConfirmed:
        state.isConfirmingQuit = false
        state.isFinished = true
        return .none
      case .quitCancelled:
        state.isConfirmingQuit = false
        return .none

      case .sendAlertButtonTapped:
        // The person stays to see who is told.
        state.isConfirmingQuit = false
        return .send(.main(.emergency(.sendNowButtonTapped)))

      case .onboarding(.accountCreated(let user)):
        return .send(.accountFound(user))

      case .onboarding(.left):
        state.onboarding = nil
        return .none

      case .authentication(.signedIn):
        return findAccount()

      case .authentication(.signUpChecked(let credentials)):
        state.onboarding = OnboardingFeature.State(
          calendar: dateClient.calendar, credentials: credentials)
        return .none

      case .authentication(.codeSent):
        // Somebody has to send it.
        return startMonitor()

      case .main(.profile(.security(.presented(.signedOut)))),
        .main(
          .profile(.security(.presented(.destination(.presented(.deletion(.deleted))))))):
        return endSession(&state)

      case .main(let action):
        return announce(action, in: &state)

      case .onboarding, .authentication:
        return .none
      }
    }
    .ifLet(\.onboarding, action: Action.onboardingCase) { OnboardingFeature() }
    .ifLet(\.authentication, action: Action.authenticationCase) { AuthenticationFeature() }
    .ifLet(\.main, action: Action.mainCase) { MainTabFeature() }
  }

  private func findAccount(notice: String? = nil) -> Effect<Action> {
    .run { [authClient, userClient] send in
      do throws(AuthError) {
        let email = authClient.requestedAddress()
        switch try await authClient.state() {
        case .signedIn: break
        // An account under that address would have to be signed up for.
        case .newcomer where email == nil:
          await send(.accountMissing)
          return
        case .newcomer, .signedOut:
          await send(.signInNeeded(email: email, notice: notice))
          return
        }
      } catch {
        await send(.accountFailed(error.text))
        return
      }
      do throws(UserError) {
        await send(.accountFound(try await userClient.currentUser()))
      } catch {
        await send(.accountFailed(error.text))
      }
    }
  }

  /// Clears what had been loaded, and asks who is there (AUTH-2).
  private func endSession(_ state: inout State) -> Effect<Action> {
    guard let main = state.main else { return .none }
    let notice =
      switch main.profile.security?.departure {
      case .signOut: "You have signed out. Your deadline goes on running."
      case .deletion: "Your account is deleted."
      case nil where state.isRaisingAlert:
        "You have been signed out, and your alert was NOT raised. Call for help yourself."
      case nil: "You have been signed out: the session ended in another place, or ran out."
      }
    // Somebody has to tell those who would have been told.
    let farewell = main.profile.security?.departure == .deletion ? startMonitor() : .none
    state.main = nil
    state.toast = nil
    state.isConfirmingQuit = false
    return .merge(
      farewell,
      .cancel(id: CancelID.streams), .cancel(id: CancelID.tick), .cancel(id: CancelID.toast),
      findAccount(notice: notice))
  }

  /// The streams that live as long as somebody is signed in.
  private func observeStore() -> Effect<Action> {
    .merge(
      observe({ [authClient] in authClient.observeState() }, Action.authStateChanged),
      observe({ [userClient] in userClient.observeCurrentUser() }, Action.userChanged),
      observe({ [contactsClient] in contactsClient.observe() }, Action.contactsChanged),
      observe(
        { [checkInClient] in checkInClient.observeHistory(Self.historyLimit) },
        Action.historyChanged),
      observe(
        { [checkInClient, dateClient] in checkInClient.observeRecord(dateClient.calendar) },
        Action.recordChanged),
      observe(
        { [alertClient] in alertClient.observe(Self.historyLimit) }, Action.alertsChanged),
      observe(
        { [notificationClient] in notificationClient.observe(Self.notificationLimit, .all) },
        Action.notificationsChanged),
      observe({ [watchClient] in watchClient.observe() }, Action.watchChanged),
      observe({ [storageClient] in storageClient.observeDocument(.appearance) }) { document in
        // A document of another shape, as a newer program may write, means no choice.
        .appearanceChanged((try? document?.decoded(as: Appearance.self)) ?? Appearance())
      },
      observe({ [storageClient] in storageClient.observeDocument(.lists) }) { document in
        .listsChanged((try? document?.decoded(as: ListChoices.self)) ?? ListChoices())
      }
    )
    .cancellable(id: CancelID.streams, cancelInFlight: true)
  }

  private func observe<Value: Sendable>(
    _ stream: @escaping @Sendable () -> AsyncThrowingStream<Value, any Error>,
    _ action: @escaping @Sendable (Value) -> Action
  ) -> Effect<Action> {
    .run { send in
      for try await value in stream() { await send(action(value)) }
    } catch: { error, send in
      let text =
        (error as? any AppError)?.text ?? StorageError.unknown(String(describing: error)).text
      await send(.streamFailed(text))
    }
  }

  /// Behind the gate a silent alert may have been raised, which has to be told: a monitor is started
  /// for that, and whenever there is a gate, so that nothing shows which passphrase it was (CHK-3).
  private func watchBehindTheGate(_ state: State) -> Effect<Action> {
    state.main?.snapshot.user.locks.contains(.gate) == true ? startMonitor() : .none
  }

  private func startMonitor() -> Effect<Action> {
    .run { [watchClient] send in
      do throws(StorageError) {
        try await watchClient.start()
      } catch {
        await send(.monitorFailed(error.text))
      }
    }
  }

  /// Starts one more monitor where an alert's messages have not been touched after a while: a lease
  /// that still runs may be that of a monitor that was killed or hangs.
  private func insist(on alert: Alert.ID) -> Effect<Action> {
    .run { [alertClient, watchClient, clock] _ in
      try await clock.sleep(for: Self.insistenceDelay)
      let reports = try await alertClient.history(Self.historyLimit)
      guard let report = reports.first(where: { $0.id == alert }), report.alert.isActive,
        report.messages.allSatisfy({ $0.state == .pending && $0.error == nil })
      else { return }
      try await watchClient.startAnother()
    } catch: { _, _ in
      // What hinders it is shown by whoever watches, or by nobody watching.
    }
  }

  /// Changes what the tabs show, with the time of now, and waits for the next visible change.
  private func update(
    _ state: inout State, _ change: (inout AccountSnapshot) -> Void
  ) -> Effect<Action> {
    guard var snapshot = state.main?.snapshot else { return .none }
    change(&snapshot)
    snapshot.now = dateClient.now()
    state.main?.show(snapshot)
    return scheduleTick(state)
  }

  /// NOT-2: calls the person for what is pressing and came while they were here, once.
  private func call(for items: [NotificationItem], in state: inout State) -> Effect<Action> {
    let known = state.knownNotifications
    state.knownNotifications = Set(items.map(\.id))
    guard let known else { return .none }
    let pressing = items.prefix { !known.contains($0.id) }
      .filter { $0.kind.priority == .high && !$0.isRead }
    guard !pressing.isEmpty else { return .none }
    return .run { [attentionClient] _ in
      for item in pressing.reversed() { await attentionClient.call("LifeSignal", item.callText) }
    }
  }

  private func scheduleTick(_ state: State) -> Effect<Action> {
    guard let snapshot = state.main?.snapshot else { return .none }
    let wait = snapshot.nextVisibleChange.timeIntervalSince(snapshot.now)
    return .run { [clock] send in
      try await clock.sleep(for: .milliseconds(Int((wait * 1000).rounded(.up))))
      await send(.ticked)
    }
    .cancellable(id: CancelID.tick, cancelInFlight: true)
  }

  private func show(_ toast: Toast, in state: inout State) -> Effect<Action> {
    state.toast = toast
    return .run { [clock] send in
      try await clock.sleep(for: Self.toastDuration)
      await send(.toastExpired)
    }
    .cancellable(id: CancelID.toast, cancelInFlight: true)
  }

  /// What the person is told about something that a tab has done, and what the root does with it.
  private func announce(_ action: MainTabFeature.Action, in state: inout State) -> Effect<Action> {
    switch action {
    case .checkIn(.checkedIn(let user)):
      let now = dateClient.now()
      let deadline = dateClient.calendar.describe(user.deadline.date, now: now)
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("Checked in. Next deadline \(deadline)."), in: &state),
        watchBehindTheGate(state))
    case .checkIn(.pause(.presented(.saved(let user)))):
      let now = dateClient.now()
      let next = dateClient.calendar.describe(user.deadline.next(at: now), now: now)
      return .merge(
        update(&state) { $0.user = user },
        show(
          Toast(
            user.deadline.isPaused(at: now)
              ? "Paused until \(next)." : "Resumed. Next deadline \(next)."), in: &state),
        watchBehindTheGate(state))
    case .checkIn(.interval(.presented(.saved(let user)))),
      .profile(.interval(.presented(.saved(let user)))):
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("You now check in every \(user.interval.displayText)."), in: &state))
    case .profile(.edit(.presented(.saved(let user)))):
      return .merge(update(&state) { $0.user = user }, show(Toast("Profile saved."), in: &state))
    case .responders(.destination(.presented(.form(.saved(let contact))))),
      .dependents(.destination(.presented(.form(.saved(let contact))))):
      return show(Toast("\(contact.name) saved."), in: &state)
    case .responders(.destination(.presented(.details(.deleted(let contact))))),
      .dependents(.destination(.presented(.details(.deleted(let contact))))):
      return show(Toast("\(contact.name) removed."), in: &state)
    case .responders(.destination(.presented(.codeEntry(.requested(let contact))))),
      .dependents(.destination(.presented(.codeEntry(.requested(let contact))))):
      return show(Toast("\(contact.name) has been asked."), in: &state)
    case .responders(.destination(.presented(.details(.done(let outcome))))),
      .dependents(.destination(.presented(.details(.done(let outcome))))):
      return announce(outcome, in: &state)
    case .pings(.answered(let user)):
      return announce(.answered(user), in: &state)
    case .dependents(.orderFailed(let error)):
      return show(Toast("The order was not kept: \(error.errorDescription)", .warning), in: &state)
    case .emergency(.raised(let alert)):
      // What was asked about is done.
      state.isConfirmingQuit = false
      // The panel says who is told; here somebody is made to tell them.
      guard state.main?.snapshot.responders.isEmpty == false else { return .none }
      return .merge(startMonitor(), insist(on: alert.id))
    case .alerts(.drillBegun(let drill)):
      return .merge(
        startMonitor(), insist(on: drill.id),
        show(Toast("The drill has begun. Its row says whom it reaches."), in: &state))
    case .emergency(.cancelled(let alert)):
      return .merge(show(state.toast(cancelled: alert), in: &state), watchBehindTheGate(state))
    case .profile(.security(.presented(.destination(.presented(.gateForm(.saved)))))),
      .profile(.security(.presented(.destination(.presented(.gate(.gateChanged)))))):
      return startMonitor()
    case .profile(.escalation(.presented(.saved(let user)))):
      return .merge(update(&state) { $0.user = user }, show(Toast("Reminders saved."), in: &state))
    case .profile(.settings(.presented(.failed(let error)))):
      return show(
        Toast("Your choice was not kept: \(error.errorDescription)", .warning), in: &state)
    case .watchButtonTapped:
      return startMonitor()
    default:
      return .none
    }
  }
}

extension AppFeature {
  /// What the person is told about something done with a contact.
  private func announce(
    _ outcome: ContactDetailsFeature.Outcome, in state: inout State
  ) -> Effect<Action> {
    switch outcome {
    case .accepted: return show(Toast("Accepted. You are contacts now."), in: &state)
    case .declined: return show(Toast("Declined."), in: &state)
    case .acknowledged:
      return show(Toast("The others see that you take care of it."), in: &state)
    case .pinged: return show(Toast("Pinged."), in: &state)
    case .withdrawn: return show(Toast("The ping is taken back."), in: &state)
    case .copied: return show(Toast("Copied, if your terminal allows it."), in: &state)
    case .answered(let user):
      let deadline = dateClient.calendar.describe(user.deadline.date, now: dateClient.now())
      return .merge(
        update(&state) { $0.user = user },
        show(Toast("Answered and checked in. Next deadline \(deadline)."), in: &state))
    }
  }
}

extension AppFeature.State {
  /// Goes to the place of the link, if it is there.
  fileprivate mutating func followLink() {
    if let link, main?.open(link) == true { self.link = nil }
  }

  /// What is true of an alert that has just been cancelled.
  fileprivate func toast(cancelled alert: Alert) -> AppFeature.Toast {
    let report = main?.snapshot.alerts.first { $0.id == alert.id }
    let hindrance = main?.snapshot.hindrance
    if report?.isToldToSomebody == true, let hindrance {
      return .init("Alert cancelled. Nobody can be told so: \(hindrance).", .danger)
    }
    // A message may be on its way now.
    guard report?.mayBeKnown == true, hindrance == nil else {
      return .init("Alert cancelled. Nobody had been told.")
    }
    return .init("Alert cancelled. Whoever was told is told so.")
  }

  /// Whether leaving now would drop an alert that is not stored yet.
  var isRaisingAlert: Bool { main?.emergency.phase.isRaising ?? false }

  /// Whether leaving now would lose something typed.
  var hasUnsavedChanges: Bool {
    onboarding?.form.isChanged ?? main?.hasUnsavedChanges ?? false
  }
}

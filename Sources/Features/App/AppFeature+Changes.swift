import Clients
import Composable
import Domain

/// The streams of the account's data, and the root's reactions to what they bring.
extension AppFeature {
  /// The streams that run as long as the app does: the connection to the store or server, and who is
  /// signed in, so that signing in or out on another terminal shows here too (AUTH-2).
  func observeApp() -> Effect<Action> {
    .merge(
      .run { [connectionClient] send in
        for await state in connectionClient.observe() { await send(.changed(.connection(state))) }
      }
      .cancellable(id: CancelID.connection, cancelInFlight: true),
      .observing(
        clock, { [authClient] in authClient.observeState() }, changed: Action.authStateChanged,
        failed: {
          meansNobodyIsSignedIn($0)
            ? .authStateChanged(.signedOut) : .changed(.failed(.session, .of($0)))
        }, resumed: .changed(.resumed(.session))
      )
      .cancellable(id: CancelID.authState, cancelInFlight: true))
  }

  /// The streams that run while someone is signed in, in the order of their parts. Each fails and
  /// recovers by itself (decision 37).
  func observeAccount() -> Effect<Action> {
    let parts = AccountSnapshot.Part.allCases.map(observe)
    let first = AccountSnapshot.Part.allCases.prefix { $0 != .record }.count
    return .merge(
      parts.prefix(first) + [readOverview()] + parts.dropFirst(first)
        + [answerPrompts(), observeOutbox()]
    )
    .cancellable(id: CancelID.streams, cancelInFlight: true)
  }

  private func observe(_ part: AccountSnapshot.Part) -> Effect<Action> {
    switch part {
    // Observed as long as the app runs.
    case .session: .none
    case .user: observe(part, { [userClient] in userClient.observeCurrentUser() }) { .user($0) }
    case .history:
      observe(part, { [checkInClient] in checkInClient.observeHistory(Self.historyLimit) }) {
        .history($0)
      }
    case .alerts:
      observe(part, { [alertClient] in alertClient.observe(Self.historyLimit) }) { .alerts($0) }
    case .armed: observe(part, { [alertClient] in alertClient.observeArmed() }) { .armed($0) }
    case .watch: observe(part, { [watchClient] in watchClient.observe() }) { .watch($0) }
    case .record:
      observe(
        part, { [checkInClient, dateClient] in checkInClient.observeRecord(dateClient.calendar) }
      ) { .record($0) }
    case .notifications:
      observe(
        part, { [notificationClient] in notificationClient.observe(Self.notificationLimit, .all) }
      ) { .notifications($0) }
    case .contacts:
      observe(part, { [contactsClient] in contactsClient.observe() }) { .contacts($0) }
    case .channels:
      observe(part, { [channelsClient] in channelsClient.observe() }) { .channels($0) }
    }
  }

  private func observe<Value: Sendable>(
    _ part: AccountSnapshot.Part,
    _ stream: @escaping @Sendable () -> AsyncThrowingStream<Value, any Error>,
    _ change: @escaping @Sendable (Value) -> AccountSnapshot.Change
  ) -> Effect<Action> {
    .observing(
      clock, stream, changed: { .changed(change($0)) },
      failed: {
        meansNobodyIsSignedIn($0) ? .sessionEnded : .changed(.failed(part, .of($0)))
      },
      resumed: .changed(.resumed(part)), isFinal: meansNobodyIsSignedIn)
  }

  /// Reads the summary of the contacts for the first screen, before the contacts themselves.
  private func readOverview() -> Effect<Action> {
    .run { [contactsClient] send in
      do throws(ClientError) {
        let overview = try await contactsClient.overview(
          naming: AccountSnapshot.namedResponderLimit)
        await send(.changed(.overview(overview)))
      } catch {
        // The contacts' stream fails for the same reason and reports it.
      }
    }
  }

  /// Follows what waits for the server, and sends it in the meantime.
  private func observeOutbox() -> Effect<Action> {
    .run { [offlineClient] send in
      for await outbox in offlineClient.observe() { await send(.changed(.outbox(outbox))) }
    }
  }

  /// Shows a prompt while a request needs a password or passphrase.
  private func answerPrompts() -> Effect<Action> {
    .run { [secretPromptClient] send in
      for await request in secretPromptClient.requests() {
        await send(.main(.prompt(request.map { .asked($0) } ?? .ended)))
      }
    }
  }

  /// Shows a change on every tab, and does what follows from it.
  func follow(_ change: AccountSnapshot.Change, in state: inout State) -> Effect<Action> {
    switch change {
    case .connection(let connection):
      state.connection = connection
      state.unread?.connection = connection
    case .armed(let armed):
      // An alert begun before the account was loaded keeps its own countdown.
      guard state.main != nil, state.emergency == nil else { return .none }
      return .send(.main(.emergency(.armedChanged(armed))))
    case .lastNotifications:
      guard state.main != nil, state.knownNotifications == nil else { return .none }
      // By this machine's clock: the server's may not be known yet.
      let now = connectionClient.machineTime(dateClient.now())
      state.newNotificationsStart = now - Self.clockTolerance
    default: break
    }
    let outbox = state.main?.snapshot.outbox ?? Outbox()
    let wasWatched = (state.main?.snapshot.watch?.monitors ?? 0) > 0
    let call =
      if case .notifications(let items) = change { alertPerson(about: items, in: &state) } else {
        Effect<Action>.none
      }
    let show = update(&state) {
      $0.apply(change)
      if case .watch = change { $0.watchEndsWithProgram = watchClient.endsWithProgram() }
    }
    switch change {
    case .user: return .merge(show, showPortrait(state))
    case .contacts: return .merge(show, state.followLink(), dropUnknownContact(&state))
    case .alerts(let alerts): return .merge(show, follow(alerts, in: &state))
    case .notifications: return .merge(show, call)
    case .outbox(let present): return .merge(show, follow(present, after: outbox))
    case .watch(let watch):
      // Replace a monitor that died, but only once: if the new one dies too, something else is wrong.
      return wasWatched && watch.monitors == 0 ? .merge(show, startMonitor()) : show
    default: return show
    }
  }

  private func follow(_ alerts: [AlertReport], in state: inout State) -> Effect<Action> {
    state.main?.emergency.closePanel(ofEndedAlertIn: alerts)
    var toast = Effect<Action>.none
    if state.toast == .endIsSent, let unsent = state.main?.checkIn.failedAllClear {
      // The toast promised messages, but some failed.
      toast = showToast(ToastMessage(unsent.text, .danger), in: &state)
    }
    let armed = state.main?.emergency.armed?.id
    guard let raised = alerts.first(where: { $0.id == armed })?.alert else { return toast }
    // A monitor raised it first.
    return .merge(toast, .send(.main(.emergency(.raised(raised)))))
  }

  /// Reacts to check-ins that were received or refused.
  private func follow(_ outbox: Outbox, after before: Outbox) -> Effect<Action> {
    let known = Set(before.refused.map(\.id))
    let refused = outbox.refused.filter { !known.contains($0.id) }
    let received = before.waiting.filter { old in !outbox.checkIns.contains { $0.id == old.id } }
    return .merge(
      refused.isEmpty
        ? .none
        : .run { [attentionClient] _ in
          await attentionClient.call("LifeSignal", "Your check-in was NOT received", true)
        },
      received.isEmpty
        ? .none
        : .run { [userClient] send in
          await send(.checkInsReceived(received, try? await userClient.currentUser()))
        })
  }

  /// Shows that check-ins were received, and from when they count.
  func announce(
    _ received: [Outbox.CheckIn], _ user: User?, in state: inout State
  ) -> Effect<Action> {
    guard let last = received.last else { return .none }
    let delivery = OfflineClient.Delivery(checkIn: last, user: user, isReceived: true)
    let toast = showToast(ToastMessage(delivery.text(dateClient, connectionClient)), in: &state)
    guard let user else { return toast }
    return .merge(update(&state) { $0.user = user }, toast)
  }

  /// Says that a link's contact doesn't exist, once all contacts are loaded.
  func dropUnknownContact(_ state: inout State) -> Effect<Action> {
    guard case .contact = state.link, state.main?.snapshot.areContactsKnown == true else {
      return .none
    }
    state.link = nil
    return showToast(ToastMessage("This contact doesn't exist.", .warning), in: &state)
  }
}

/// Whether a stream ended because the session has ended.
private func meansNobodyIsSignedIn(_ error: any Error) -> Bool {
  error as? ClientError == .notAuthenticated
}

import Clients
import Composable
import Domain

/// Toasts, and the root's reactions to results of its children.
extension AppFeature {
  /// Reacts to a tab's result and shows a toast about it.
  func announce(_ action: MainTabFeature.Action, in state: inout State) -> Effect<Action> {
    switch action {
    case .checkIn(.checkInFailed(.queued(let date))):
      // The first tab says so as long as it waits.
      guard state.main?.selectedTab != .checkIn else { return .none }
      return showToast(
        ToastMessage(ClientError.queued(at: date).text.description, .warning), in: &state)
    case .checkIn(.checkInFailed) where state.main?.selectedTab != .checkIn:
      // The first tab shows the error itself until it is dismissed.
      guard let failure = state.main?.checkIn.request.failure else { return .none }
      return showToast(ToastMessage(failure.error.checkInText, .danger), in: &state)
    case .checkIn(.checkedIn(let user))
    where state.main?.checkIn.isRepeat(user) == true && !state.isAlertOn:
      return follow(
        .checkedIn(user, text: "Checked in. Two check-ins within a minute count as one."),
        in: &state)
    case .emergency(.raised(let alert)), .emergency(.moreSent(let alert)):
      // The alert is sent, so there is nothing left to ask before quitting.
      state.isConfirmingQuit = false
      // The panel shows who is notified; make sure that a monitor does it.
      guard let main = state.main, !main.snapshot.hasNoResponders else { return .none }
      return .merge(startMonitor(), startAnotherMonitorIfStalled(for: alert.id))
    case .emergency(.disarmFailed(.queued)), .emergency(.raiseFailed(.queued)):
      return showToast(ToastMessage(ArmedAlert.maybeSentText, .danger), in: &state)
    case .emergency(.cancelButtonTapped):
      // Cancelling the alert also answers the question before quitting.
      state.isConfirmingQuit = false
      return .none
    case .emergency(.cancelled(let alert)):
      return showToast(state.toast(cancelled: alert), in: &state)
    case .profile(.loaded(let user)) where state.main?.snapshot.stalls[.user] != nil:
      // Otherwise the stream works again, and has the newest.
      return update(&state) { $0.user = user }
    case .alerts(.drillBegun(let drill)):
      return .merge(
        startMonitor(), startAnotherMonitorIfStalled(for: drill.id),
        showToast(ToastMessage("The drill has started. Its row shows who was sent it."), in: &state)
      )
    default:
      return action.delegate.map { follow($0, in: &state) } ?? .none
    }
  }

  /// Performs a delegate action.
  private func follow(_ action: DelegateAction, in state: inout State) -> Effect<Action> {
    let (now, calendar) = (dateClient.now(), dateClient.calendar)
    switch action {
    case .toast(let toast): return showToast(toast, in: &state)
    case .queued: return startMonitor()
    case .replied(let response):
      return .merge(startMonitor(), showToast(ToastMessage(response.summary), in: &state))
    case .checkedIn(let user, let text):
      let deadline = calendar.describe(user.deadline.next(at: now), now: now)
      if let lateness = user.latenessOfCheckIn(at: now) {
        return save(user, ToastMessage(lateness.text.checkInText, .danger), in: &state)
      }
      let next =
        if user.deadline.isPaused(at: now) {
          "You are still paused until \(deadline); p resumes."
        } else if user.schedule?.isEarly == true {
          "Early: still due by \(deadline)."
        } else if let served = user.schedule?.served {
          "It counts for \(calendar.describe(served, now: now)). Next deadline \(deadline)."
        } else {
          "Next deadline \(deadline)."
        }
      // A check-in doesn't end an alert raised by hand (CHK-6).
      let toast =
        state.isAlertOn
        ? ToastMessage("\(text) Your alert is still on: x cancels it. \(next)", .warning)
        : ToastMessage("\(text) \(next)")
      return save(user, toast, in: &state)
    case .out(let user):
      guard let outing = user.outing else { return save(user, ToastMessage("Saved."), in: &state) }
      let until = calendar.describe(outing.until, now: now)
      return .merge(
        startMonitor(),
        save(user, ToastMessage("Out until \(until). Press b when you are back."), in: &state))
    case .paused(let user):
      let next = calendar.describe(user.deadline.next(at: now), now: now)
      let isPaused = user.deadline.isPaused(at: now)
      return save(
        user, ToastMessage(isPaused ? "Paused until \(next)." : "Resumed. Next deadline \(next)."),
        in: &state)
    case .saved(let user, let text):
      return .merge(save(user, ToastMessage(text), in: &state), showPortrait(state))
    case .contactSaved(let contact): return showToast(state.toast(saved: contact), in: &state)
    case .signedOut: return endSession(&state)
    }
  }

  /// Shows a stored change at once, in case the account's stream has failed.
  private func save(_ user: User, _ toast: ToastMessage, in state: inout State) -> Effect<Action> {
    .merge(update(&state) { $0.user = user }, showToast(toast, in: &state))
  }
}

extension AppFeature.State {
  /// What is true of a contact that has just been saved.
  fileprivate func toast(saved contact: Contact) -> ToastMessage {
    guard let watch = main?.snapshot.situation.watch, contact.isResponder,
      watch.leavesOut(contact), let problem = watch.status?.problem
    else { return .init("\(contact.name) saved.") }
    return .init("\(contact.name) saved, but can't be notified: \(problem).", .warning)
  }

  /// The toast for an alert that was just cancelled.
  fileprivate func toast(cancelled alert: Alert) -> ToastMessage {
    let report = main?.snapshot.alerts.first { $0.id == alert.id }
    let failureReason = main?.snapshot.failureReason
    if report?.hasSentMessage == true, let failureReason {
      return .init("Alert cancelled. Nobody can be notified: \(failureReason).", .danger)
    }
    // A message may be on its way now.
    guard report?.hasSentOrPendingMessage == true, failureReason == nil else {
      return .init("Alert cancelled. Nobody had been notified.")
    }
    return .endIsSent
  }
}

extension ToastMessage {
  static let endIsSent = Self("Alert cancelled. Everyone who was sent it is being notified.")
}

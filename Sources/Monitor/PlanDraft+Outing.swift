import Domain
import FoundationEssentials

/// The outing that is on (OUT-4).
extension PlanDraft {
  /// Falls back to all responders if none of the chosen is one any more (OUT-1), and restarts the
  /// grace time if the end passed while no monitor was running (ESC-4).
  mutating func followOuting() {
    guard var outing = user.outing else { return }
    if !account.responders.isEmpty, outing.hasLostResponders(among: account.responders) {
      outing.responders = []
    }
    if now >= outing.until, !isRaised(outing), outingGraceFrom == nil, !wasTold(ofEndOf: outing),
      wasUnwatched(at: outing.until)
    {
      outing.graceFrom = now
    }
    if outing != user.outing { change(outing) }
  }

  /// Reminds the person before the end of the outing and at it, on their channels and on screen.
  /// If several are due, only the latest is sent. What is about another end is cancelled.
  mutating func remindOwnerOfOuting() {
    let due = user.outing.flatMap(outingStage)
    for delivery in deliveries(of: .account) where delivery.stage.isAboutOuting {
      let isOn = account.ownChannels(for: delivery.stage).contains {
        $0.kind == delivery.channel && $0.address == delivery.address
      }
      if delivery.stage != due || !isOn { cancel(delivery) }
    }
    guard let outing = user.outing else { return }
    for lead in Outing.reminders { planAgain(at: outing.until - lead) }
    guard let due else { return }
    notifyOwner(due, about: .account)
    if !account.shownStages.contains(due) { show(due) }
  }

  /// Returns the outing's alert if its grace time is over and it has none.
  mutating func newAlert(about outing: Outing) -> Alert? {
    guard !isRaised(outing) else { return nil }
    let end = max(outing.until, outingGraceFrom ?? outing.until) + outing.grace
    guard now >= end else {
      planAgain(at: end)
      return nil
    }
    let alert = Alert(
      id: outing.id, kind: .outing, message: outing.text, raisedAt: now,
      noticedLateBy: lateness(
        after: outing.until + outing.grace, isRestarted: outingGraceFrom != nil),
      dueBack: outing.until)
    raise(alert)
    return alert
  }

  /// Those who are notified of an alert.
  func responders(of alert: Alert) -> [Contact] {
    guard alert.kind == .outing, let outing = user.outing else { return account.responders }
    return outing.responders(among: account.responders)
  }

  /// Whether a call about a missed deadline to a place is in that of an outing that was missed at the
  /// same time (OUT-4), as is a deadline that waited for it.
  func isToldByOuting(_ call: PlannedDelivery, of alert: Alert, among alerts: [Alert]) -> Bool {
    guard alert.kind == .missed,
      let outing = alerts.first(where: { $0.kind == .outing && $0.isActive }),
      abs(alert.raisedAt.timeIntervalSince(outing.raisedAt)) < 60
    else { return false }
    return places(calledAbout: outing.id).contains(call.place)
  }

  /// Whether the end of an alert is in that of an outing which ended at the same time.
  func isEndedWithOuting(_ place: Place, of alert: Alert) -> Bool {
    guard alert.kind == .missed, let end = alert.resolvedAt else { return false }
    return account.alerts.contains { other in
      guard other.kind == .outing, let otherEnd = other.resolvedAt,
        abs(otherEnd.timeIntervalSince(end)) < 1
      else { return false }
      return deliveries(of: .alert(other.id)).contains {
        $0.stage.isCall && $0.place == place && $0.mayHaveArrived
      }
    }
  }

  /// The places that are called about an alert.
  func places(calledAbout alert: Alert.ID) -> Set<Place> {
    let stored = deliveries(of: .alert(alert)).filter {
      $0.stage.isCall && $0.state != .cancelled && !plan.cancelled.contains($0.id)
    }
    let planned = plan.deliveries.filter { $0.occasion == .alert(alert) && $0.stage.isCall }
    return Set(stored.map(\.place) + planned.map(\.place))
  }

  /// Who is called about two missed promises is called again about the later one only: that message
  /// tells of both (OUT-4).
  func isRepeatedByAnother(_ call: PlannedDelivery, of alert: Alert, among alerts: [Alert]) -> Bool
  {
    guard alert.kind.isMissedPromise else { return false }
    return alerts.contains { other in
      other.id != alert.id && other.kind.isMissedPromise && other.isActive
        && (other.raisedAt, other.kind == .outing ? 1 : 0)
          > (alert.raisedAt, alert.kind == .outing ? 1 : 0)
        && places(calledAbout: other.id).contains(call.place)
    }
  }

  private func outingStage(_ outing: Outing) -> Stage? {
    let lead = Outing.reminders.filter {
      outing.until - $0 <= now && outing.until - $0 > outing.startedAt
    }
    .min()
    guard let lead else { return nil }
    return lead == .zero && outingGraceFrom != nil
      ? .outingNoticedLate(outing.until) : .outingEnds(lead, outing.until)
  }

  private func isRaised(_ outing: Outing) -> Bool { account.alerts.contains { $0.id == outing.id } }

  /// When its grace time restarted. One far in the future was written by a wrong clock (ESC-5).
  private var outingGraceFrom: Date? {
    user.outing?.graceFrom.flatMap { $0 <= now + WatchStatus.longestGap ? $0 : nil }
  }

  private func wasTold(ofEndOf outing: Outing) -> Bool {
    let stage = Stage.outingEnds(.zero, outing.until)
    return account.shownStages.contains(stage)
      || deliveries(of: .account).contains { $0.stage == stage && $0.state != .cancelled }
  }
}

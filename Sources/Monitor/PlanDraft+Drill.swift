import Clients
import Domain

/// The end of drills (ALT-6).
extension PlanDraft {
  /// Returns whether a drill sends nothing more, because a visible alert is on or has been since
  /// the drill began (ALT-8). The store ends a drill when it raises an alert; this covers drills
  /// that were planned at that moment, or imported.
  func isOvertaken(_ drill: Alert, by alerts: [Alert]) -> Bool {
    alerts.contains {
      guard $0.kind != .drill, $0.kind != .duress else { return false }
      guard let end = $0.resolvedAt else { return true }
      // A later end was written by a clock that has since been set back (ESC-5).
      return end > drill.raisedAt && end <= now + WatchStatus.longestGap
    }
  }

  /// Ends a drill without notifying anyone.
  mutating func endSilently(_ drill: Alert) {
    let deliveries = deliveries(of: .alert(drill.id))
    for delivery in deliveries { cancel(delivery) }
    if drill.isActive { finish(drill) }
    if !deliveries.contains(where: isBeingSent) { settle(drill) }
  }

  /// Ends a drill once every message has a result, or its time is over (CHN-2). Everyone who was
  /// notified gets an all-clear, as at the end of any alert.
  mutating func endDrill(_ alert: Alert) {
    guard alert.kind == .drill else { return }
    let occasion = Occasion.alert(alert.id)
    expireCalls(of: alert)
    let isPlanned = plan.deliveries.contains { $0.occasion == occasion }
    let isPending = deliveries(of: occasion).contains {
      $0.state == .pending && !plan.cancelled.contains($0.id) && !plan.expired.contains($0.id)
    }
    // No channel may be able to take what is planned, so that no result causes another look.
    if isPlanned { planAgain(at: now + DeliveryPolicy.standard.drillLifetime) }
    guard !isPlanned, !isPending else { return }
    finish(alert)
    var ended = alert
    ended.resolvedAt = now
    sendAllClear(for: ended)
  }

  /// Gives up the calls of a drill that weren't sent in time, whatever they wait for. One that is
  /// being sent has a result of its own.
  mutating func expireCalls(of drill: Alert) {
    for delivery in deliveries(of: .alert(drill.id))
    where delivery.state == .pending && delivery.stage.isCall {
      guard let plannedAt = delivery.plannedAt else { continue }
      let end = plannedAt + DeliveryPolicy.standard.drillLifetime
      if end > now {
        planAgain(at: end)
      } else if let leaseEnd = delivery.leasedUntil, leaseEnd > now {
        planAgain(at: leaseEnd)
      } else {
        expire(delivery)
      }
    }
  }
}

import Domain

/// The end of an exercise (ALT-6).
extension PlanDraft {
  /// Whether a drill has no word any more: an alert that its person sees is on, or was since it began
  /// (ALT-8). The store ends a drill when it raises one; this is for what was planned at that moment,
  /// or was imported.
  func isOvertaken(_ drill: Alert, by alerts: [Alert]) -> Bool {
    alerts.contains {
      $0.kind != .drill && $0.kind != .duress
        && ($0.isActive || $0.resolvedAt ?? now > drill.raisedAt)
    }
  }

  /// Ends a drill of which nobody hears any more.
  mutating func silence(_ drill: Alert) {
    let deliveries = deliveries(of: .alert(drill.id))
    for delivery in deliveries { cancel(delivery) }
    if drill.isActive { finish(drill) }
    if !deliveries.contains(where: isBeingSent) { settle(drill) }
  }

  /// Ends a drill whose every message has a result; those who were notified hear that it is over,
  /// as at the end of any alert.
  mutating func endDrill(_ alert: Alert) {
    guard alert.kind == .drill else { return }
    let occasion = Occasion.alert(alert.id)
    let isPlanned = plan.deliveries.contains { $0.occasion == occasion }
    let isPending = deliveries(of: occasion).contains {
      $0.state == .pending && !plan.cancelled.contains($0.id)
    }
    guard !isPlanned, !isPending else { return }
    finish(alert)
    var ended = alert
    ended.resolvedAt = now
    takeBack(ended)
  }
}

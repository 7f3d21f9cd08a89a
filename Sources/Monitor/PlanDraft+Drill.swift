import Domain

/// The end of an exercise (ALT-6).
extension PlanDraft {
  /// Ends a drill of which every message has met its fate; those who were told hear that it is over,
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

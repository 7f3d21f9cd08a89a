public import FoundationEssentials

extension AlertReport {
  /// The report of an alert that was cancelled under duress, as if it had ended then (CHK-3).
  ///
  /// What happens afterwards is not in it, and whoever had been told seems to have heard the end:
  /// the screen is that of any other cancelled alert.
  public func seemingToEnd(at end: Date) -> AlertReport {
    var report = self
    report.alert.resolvedAt = end
    report.alert.acknowledgements.removeAll { $0.date > end }
    let known = deliveries.filter { $0.plannedAt <= end }.map { $0.asItStood(at: end) }
    let told = known.filter { $0.state == .sent && $0.stage.isCall }
    let farewells = told.indices.filter { index in
      !told[..<index].contains(where: told[index].isToSamePlace)
    }.map { told[$0].takenBack(at: end) }
    report.deliveries = known + farewells
    return report
  }
}

extension DeliveryReport {
  /// The message as the end of its alert would have left it.
  fileprivate func asItStood(at end: Date) -> DeliveryReport {
    let isOver = (state == .sent || state == .failed) && date <= end
    guard !isOver else { return self }
    var report = self
    report.state = .cancelled
    report.date = end
    return report
  }

  /// The word that takes this one back.
  fileprivate func takenBack(at end: Date) -> DeliveryReport {
    var bytes = id.uuid
    bytes.15 ^= 0xFF
    return DeliveryReport(
      id: UUID(uuid: bytes), stage: .alertOff, recipient: recipient, channel: channel,
      address: address, state: .sent, date: end)
  }
}

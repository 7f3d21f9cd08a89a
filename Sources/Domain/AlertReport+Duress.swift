public import FoundationEssentials

extension Alert {
  /// Without words that came after it seemed to end: they would tell that it did not.
  public var withoutLaterWords: Alert {
    guard let end = resolvedAt else { return self }
    var alert = self
    alert.acknowledgements.removeAll { $0.date > end }
    return alert
  }
}

/// What a person is shown of an alert while a silent one is on: the screen is that of any other alert
/// that is over (CHK-3).
extension AlertReport {
  /// The report of an alert that ended while a silent one is on: the words that it is over, which are
  /// held back then, look as if they had been sent when it seemed to end.
  public var withoutTraceOfDuress: AlertReport {
    guard let end = alert.resolvedAt else { return self }
    // What still goes out would have been stopped.
    let known = deliveries.filter { !$0.stage.isEnd || $0.isFinished }.map { delivery in
      guard !delivery.stage.isEnd, delivery.state != .cancelled, !delivery.isFinished(by: end)
      else { return delivery }
      return delivery.stopped
    }
    let ends = known.filter(\.stage.isEnd)
    var report = self
    report.deliveries =
      known
      + known.farewells(at: end).filter { farewell in
        !ends.contains(where: farewell.isToSamePlace)
      }
    return report
  }

  /// The report of an alert that was cancelled under duress and goes on, as if it had ended then: what
  /// happens afterwards is not in it, and whoever had been told seems to have heard the end.
  public func seemingToEnd(at end: Date) -> AlertReport {
    var report = self
    report.alert.resolvedAt = end
    report.alert = report.alert.withoutLaterWords
    let known = deliveries.filter { $0.plannedAt <= end }.map { delivery in
      guard !delivery.isFinished(by: end) else { return delivery }
      var stopped = delivery.stopped
      stopped.date = end
      return stopped
    }
    report.deliveries = known + known.farewells(at: end)
    return report
  }
}

extension [DeliveryReport] {
  /// The words that take back what was told, one for each place, as if they had been sent.
  fileprivate func farewells(at end: Date) -> [DeliveryReport] {
    let told = filter(\.isToldCall)
    return told.indices.filter { index in
      !told[..<index].contains(where: told[index].isToSamePlace)
    }.map { told[$0].takenBack(at: end) }
  }
}

extension DeliveryReport {
  fileprivate var isFinished: Bool { state == .sent || state == .failed }

  fileprivate var isToldCall: Bool { state == .sent && stage.isCall }

  fileprivate func isFinished(by date: Date) -> Bool { isFinished && self.date <= date }

  /// The message as the end of its alert would have left it.
  fileprivate var stopped: DeliveryReport {
    var report = self
    report.state = .cancelled
    report.error = nil
    return report
  }

  /// The word that takes this one back, as if it had been sent.
  fileprivate func takenBack(at date: Date) -> DeliveryReport {
    var bytes = id.uuid
    bytes.15 ^= 0xFF
    return DeliveryReport(
      id: UUID(uuid: bytes), stage: stage.takenBack, recipientID: recipientID,
      recipient: recipient, channel: channel, address: address, state: .sent, date: date)
  }
}

extension Stage {
  /// The stage of the word that takes this one back.
  fileprivate var takenBack: Stage {
    switch self {
    case .nonResponsive, .nonResponsiveAgain: .allClear
    default: .alertOff
    }
  }
}

import FoundationEssentials

extension AlertReport {
  /// The report as its person is shown it while a silent alert is on: the words that something is over,
  /// which are held back then, look as if they had been sent when it seemed to end (CHK-3).
  public var withoutTraceOfDuress: AlertReport {
    guard let end = alert.resolvedAt else { return self }
    var report = self
    report.deliveries = []
    for var delivery in deliveries where !delivery.stage.isEnd || delivery.isFinished {
      guard !delivery.stage.isEnd else {
        report.deliveries.append(delivery)
        continue
      }
      if delivery.state == .pending || (delivery.state == .sent && delivery.date > end) {
        // What still goes out would have been stopped.
        delivery.state = .cancelled
        delivery.error = nil
      }
      report.deliveries.append(delivery)
      let hasEnd = deliveries.contains {
        $0.stage.isEnd && $0.isFinished && $0.address == delivery.address
      }
      let isFirst = !report.deliveries.dropLast().contains {
        $0.stage.isCall && $0.state == .sent && $0.isToSamePlace(as: delivery)
      }
      if delivery.state == .sent, delivery.stage.isCall, isFirst, !hasEnd {
        report.deliveries.append(delivery.seemingEnd(at: end))
      }
    }
    return report
  }
}

extension DeliveryReport {
  fileprivate var isFinished: Bool { state == .sent || state == .failed }

  private var isAboutDeadline: Bool {
    switch stage {
    case .nonResponsive, .nonResponsiveAgain: true
    default: false
    }
  }

  /// The word that takes this one back, as if it had been sent.
  fileprivate func seemingEnd(at date: Date) -> DeliveryReport {
    var bytes = id.uuid
    bytes.15 ^= 0xFF
    return DeliveryReport(
      id: UUID(uuid: bytes), stage: isAboutDeadline ? .allClear : .alertOff,
      recipient: recipient, channel: channel, address: address, state: .sent, date: date)
  }
}

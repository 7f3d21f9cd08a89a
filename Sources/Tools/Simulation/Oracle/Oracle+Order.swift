import Domain
import FoundationEssentials

/// How long a responder waits by the product's rules (ESC-8).
struct Wait {
  var span: TimeSpan = .zero
  /// How long they waited before the last change, and when that was.
  var earlier: TimeSpan = .zero
  var changedAt = Moment.zero

  func span(in call: Call) -> TimeSpan {
    (call.raised ?? call.began) < changedAt ? min(span, earlier) : span
  }
}

extension Person {
  /// Returns how long the responders wait in a call, with those who are first at once.
  func waits(in call: Call) -> [Mailbox: TimeSpan] {
    guard call.kind == .missed || call.kind == .outing else { return [:] }
    var spans: [Mailbox: TimeSpan] = [:]
    for mailbox in responders(of: call).keys {
      spans[mailbox] = waits[mailbox.recipient]?.span(in: call) ?? .zero
    }
    let first = spans.values.min()
    return spans.mapValues { $0 == first ? .zero : $0 }
  }

  /// Returns by when a responder must be called at the latest if nobody who is called before answers
  /// for themselves.
  func lastStart(of call: Call, for mailbox: Mailbox) -> Moment {
    let waits = waits(in: call)
    guard let span = waits[mailbox], span > .zero else { return call.began }
    let earlier = waits.filter { $0.value < span }
    let steps = Set(earlier.values).count
    let isHeard = earlier.keys.contains { call.notified[$0] != nil }
    let start =
      isHeard
      ? Duration.seconds(span.seconds) : min(.seconds(span.seconds), .seconds(120 * steps))
    guard let answer = call.acknowledgements.values.min() else { return call.began + start }
    return max(call.began + start, answer + .seconds(3_600))
  }
}

/// Checks the order in which responders are called.
extension Oracle {
  /// Checks a first call about a missed deadline that a monitor plans.
  ///
  /// The monitor may have read the store up to a minute before.
  mutating func judgeOrder(_ planned: PlannedDelivery, of id: User.ID, at now: Moment) {
    guard planned.stage == .nonResponsive, case .alert(let alert) = planned.occasion,
      let person = people[id], let call = person.calls.first(where: { $0.id == alert }),
      !call.sawClockSet
    else { return }
    let mailbox = Mailbox(recipient: planned.recipient, address: planned.address)
    let waits = person.waits(in: call)
    guard let span = waits[mailbox], span > .zero,
      !call.attempted.contains(where: { $0.recipient == planned.recipient }),
      // Who was named while the alert is on changes the steps.
      !person.responders.contains(where: { $0.value > call.began }), !person.hasLostResponders
    else { return }
    let what = "\(planned.address) is called about \(person.name)"
    let sinceStart = now - call.began
    let earlier = waits.filter { $0.value < span }
    let answers = call.acknowledgements.values.filter { now - $0 > .seconds(60) }
    if let answer = answers.min(), now - answer < .seconds(3_595),
      !call.gone.contains(where: { call.acknowledgements[$0] != nil })
    {
      accuse("ESC-8", "\(what) although somebody has been responding for less than an hour")
    }
    guard sinceStart < .seconds(span.seconds) - .seconds(5) else { return }
    let steps = Set(earlier.values).count
    if sinceStart < .seconds(120 * steps) - .seconds(5) {
      accuse("ESC-8", "\(what) before those who come first had two minutes")
    }
    let isHeard = messages.values.contains { message in
      message.isRecorded && message.accepted > 0 && message.delivery.alert?.id == alert
        && earlier.keys.contains {
          $0.recipient == message.delivery.recipient && $0.address == message.delivery.address
        } && now - message.startedAt > .seconds(120)
    }
    if isHeard { accuse("ESC-8", "\(what) before their turn although the others were reached") }
  }
}

import Clients
import Domain
import FoundationEssentials

/// The text of a message: who, what, since when, how to reach them, and what to do.
struct MessageText {
  let delivery: ClaimedDelivery
  /// The settings of the pages behind links; `nil` if none are served.
  var links: LinkSettings?
  let calendar: CivilCalendar

  var subjectAndBody: MessageTemplate.Filled {
    MessageTemplate(utf8: template).filled(with: values)
  }

  /// Returns whether the message's template uses a value. Channels must not send values that the
  /// text keeps out.
  func mentions(_ name: String) -> Bool {
    MessageTemplate(utf8: template).text.contains("{\(name)}")
  }

  /// The link to acknowledge, decline or check in; `nil` if there is no page or code for it.
  var link: String? {
    guard let links, let code = delivery.code?.value, !code.isEmpty else { return nil }
    return links.link(for: code, .init(delivery.stage))
  }

  /// Whether the recipient can check in with the link. Only a button opens such a link (CHK-8).
  var checksIn: Bool { delivery.stage.asksForCheckIn }

  /// The label of the link. Opening it doesn't answer yet: that takes the button on the page.
  var linkLabel: String {
    switch LinkSettings.Page(delivery.stage) {
    case .alert: "Open the page to respond"
    case .decline: "Open the page to get off the list"
    case .checkIn: "Open the page to check in"
    }
  }

  /// The person's number as stored; `nil` if there is none or the recipient must not call it.
  var phoneToCall: String? { isToUser || isSilent ? nil : delivery.user.profile.phone }

  /// How to get in; `nil` unless it can help now, and is nowhere else: the page shows it only while
  /// the alert is on, and a message is kept.
  var access: String? {
    guard delivery.stage.isCall, !isDrill, delivery.alert?.resolvedAt == nil, link == nil else {
      return nil
    }
    return delivery.user.profile.access.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where help must go, on one line; empty if it isn't known.
  private var place: String {
    (delivery.user.profile.address ?? "").split(separator: "\n").map { $0.trimmingWhitespace() }
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Whether the message asks for immediate help.
  var isUrgent: Bool { !isDrill && delivery.stage.isUrgent }

  /// Whether the message belongs to a drill, which its first words say (ALT-6).
  var isDrill: Bool { delivery.alert?.kind == .drill }
  private var isToUser: Bool { delivery.recipient == .owner }
  private var isOuting: Bool { delivery.alert?.kind == .outing }
  private var isSilent: Bool { delivery.alert?.kind == .duress }

  /// Whether the recipient has already said that they are responding.
  private var isResponding: Bool {
    delivery.alert?.acknowledgements.contains { .contact($0.responder) == delivery.recipient }
      ?? false
  }

  /// Who has been responding, to a responder who waited for that (ESC-8).
  private var held: String {
    let others = delivery.alert?.acknowledgements.filter {
      .contact($0.responder) != delivery.recipient
    }
    guard let first = others?.min(by: { $0.date < $1.date }) else { return "" }
    let since = calendar.describeForOthers(first.date)
    return "\(first.name) has been responding since \(since); the alert is still on."
  }

  private var template: [UInt8] {
    switch delivery.stage {
    case .alertOn where isDrill, .alertOnAgain where isDrill: PackageResources.drill_on_txt
    case .alertOff where isDrill: PackageResources.drill_off_txt
    case .reminder: PackageResources.reminder_txt
    case .pauseEnds: PackageResources.pause_ends_txt
    case .deadlinePassed: PackageResources.deadline_passed_txt
    case .noticedLate: PackageResources.noticed_late_txt
    case .nonResponsive where isOuting, .nonResponsiveAgain where isOuting:
      PackageResources.not_back_txt
    case .nonResponsive: PackageResources.non_responsive_txt
    case .nonResponsiveAgain: PackageResources.non_responsive_again_txt
    case .allClear where delivery.isAnotherAlertOn, .alertOff where delivery.isAnotherAlertOn:
      PackageResources.still_on_txt
    case .allClear where isOuting: PackageResources.is_back_txt
    case .allClear: PackageResources.all_clear_txt
    case .alertOn where isSilent, .alertOnAgain where isSilent: PackageResources.silent_alert_on_txt
    case .alertOff where isSilent: PackageResources.silent_alert_off_txt
    case .alertOnAgain: PackageResources.alert_on_again_txt
    case .alertNote: PackageResources.alert_note_txt
    // Messages to the person in danger must not address them as one more responder (ALT-9).
    case .acknowledged where isToUser: PackageResources.own_acknowledged_txt
    case .channelTest where isToUser: PackageResources.own_channel_test_txt
    case .acknowledged where isSilent: PackageResources.silent_acknowledged_txt
    case .acknowledged: PackageResources.acknowledged_txt
    case .withdrawn where isToUser: PackageResources.own_withdrawn_txt
    case .withdrawn where isSilent: PackageResources.silent_withdrawn_txt
    case .withdrawn: PackageResources.withdrawn_txt
    case .linkPressed: PackageResources.link_pressed_txt
    case .lateSign: PackageResources.late_sign_txt
    case .contactAdded: PackageResources.contact_added_txt
    case .channelTest: PackageResources.channel_test_txt
    case .alertOn: PackageResources.alert_on_txt
    case .alertOff: PackageResources.alert_off_txt
    case .accountDeleted: PackageResources.account_deleted_txt
    case .unwatched where delivery.recipient == .owner: PackageResources.unwatched_owner_txt
    case .unwatched: PackageResources.unwatched_txt
    case .passwordReset: PackageResources.password_reset_txt
    case .passwordWasReset, .addressTakenBack, .requestWaits: PackageResources.account_notice_txt
    case .serverRestored: PackageResources.server_restored_txt
    case .addressCode: PackageResources.address_code_txt
    case .addressReplaced: PackageResources.address_replaced_txt
    case .responderNotice: PackageResources.responder_notice_txt
    case .reassurance: PackageResources.reassurance_txt
    case .checkedIn: PackageResources.checked_in_txt
    case .outingEnds(.zero, _), .outingNoticedLate: PackageResources.outing_ended_txt
    case .outingEnds: PackageResources.outing_ends_txt
    }
  }

  /// When the person checked in: late, or in time on a device that the server couldn't hear (OFF-3).
  private var checkedIn: String {
    guard let end = delivery.alert?.resolvedAt else { return "" }
    let (made, received) = (delivery.user.lastCheckIn, calendar.describeForOthers(end))
    guard end.timeIntervalSince(made) >= 120, made > .distantPast else {
      return "late, on \(received)"
    }
    return "on \(calendar.describeForOthers(made)), which could only be received on \(received)"
  }

  /// The outing that the message tells of, or whose end it is about.
  private var outing: Outing? {
    delivery.stage.isAboutOuting ? delivery.user.outing : delivery.outing
  }

  /// What stands above an outing's text.
  private func title(of outing: Outing) -> String {
    let name = delivery.user.profile.name
    let wrote = outing.text.isEmpty ? "" : ". Before leaving they wrote:"
    // The rest of the message says by when.
    if isOuting || !delivery.stage.isCall {
      return outing.text.isEmpty ? "" : "\(name) wrote before leaving:"
    }
    let until = calendar.describeForOthers(outing.until)
    return "\(name) is on an outing, and was to be back by \(until)\(wrote)"
  }

  /// How the person checked in, if it wasn't in the app or by a command.
  private var byItself: String {
    switch CheckIn.Source(rawValue: delivery.detail) {
    case .automatic: " by what they typed at their computer"
    case .link: " by a link in a message"
    default: ""
    }
  }

  /// The values about an outing.
  private var outingValues: [String: String] {
    let user = delivery.user
    let isOverdue = user.deadline.heldUntil == nil && user.deadline.date <= delivery.plannedAt
    let isRaised = delivery.alert.map { !$0.kind.isMissedPromise } ?? false
    let names = [
      "due_back", "outing", "outing_title", "outing_until", "outing_clock", "outing_grace",
      "outing_grace_end", "unwatched",
    ]
    var values = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
    values.merge([
      "still": delivery.stage.isRepeat ? "still " : "", "overdue": isOverdue ? "yes" : "",
      "raised": isRaised ? "yes" : "",
    ]) { $1 }
    values["due_back"] = delivery.alert?.dueBack.map(calendar.describeForOthers)
    if isOuting { values["outing"] = delivery.alert?.message }
    guard let outing else { return values }
    values["outing_title"] = title(of: outing)
    values["outing"] = outing.text
    values["outing_until"] = calendar.describeForOthers(outing.until)
    values["outing_clock"] = calendar.time(of: outing.until).clock
    values["outing_grace"] = outing.grace.inWords
    if delivery.hasResponders {
      values["outing_grace_end"] = calendar.describeForOthers(outing.graceEnd)
    }
    if outing.graceFrom != nil { values["unwatched"] = "yes" }
    return values
  }

  private var values: [String: String] {
    let user = delivery.user
    let profile = user.profile
    let message = delivery.alert?.message ?? ""
    let common: [String: String] = [
      "not_drill": delivery.followsDrill ? "This is not a drill. " : "",
      "name": profile.name,
      "recipient": delivery.recipientName.isEmpty ? "there" : delivery.recipientName,
      "promise": user.promiseInWords + (user.schedule.map { ", \($0.times.zoneTitle) time" } ?? ""),
      "deadline": calendar.describeForOthers(user.deadline.date),
      "deadline_clock": calendar.time(of: user.deadline.date).clock,
      // Empty if there are no responders, or no grace time before they are notified.
      "grace_end": delivery.hasResponders && user.grace > .zero
        ? calendar.describeForOthers(user.deadline.graceEnd) : "",
      "at_once": delivery.hasResponders && user.grace == .zero ? "yes" : "",
      "pause_end": user.pausedUntil.map(calendar.describeForOthers) ?? "",
      // A damaged store may not know the time.
      "last_check_in": user.lastCheckIn > .distantPast
        ? calendar.describeForOthers(user.lastCheckIn)
          + (delivery.lastSource == .link ? ", by a link" : "") : "",
      "phone": profile.phone.map(PhoneNumber.grouped) ?? "",
      "call": profile.phone.map { ": call \(PhoneNumber.grouped($0))" } ?? "",
      "note_title": profile.note.isEmpty ? "" : "\(profile.name)'s emergency note:",
      "note": profile.note,
      "place": place.isEmpty ? "" : ": \(place)",
      "address": place,
      "access_title": access == nil ? "" : "How to get in:",
      "access": access ?? "",
      "facts": profile.phone == nil && profile.note.isEmpty && place.isEmpty && access == nil
        ? "" : "yes",
      "detail": delivery.detail,
      "check_in_clock": calendar.time(of: user.lastCheckIn).clock,
      "by_itself": byItself,
      "planned_clock": calendar.time(of: delivery.plannedAt).clock,
      "missed": delivery.alert?.kind == .missed ? "yes" : "",
      "code": delivery.code?.value ?? "",
      "link": link ?? "",
      "responding": isResponding ? "yes" : "",
      "links": links == nil ? "" : "yes",
      "app": delivery.isAnsweredInApp ? "yes" : "",
      "held": held,
      "late": delivery.alert?.noticedLateBy?.inWords ?? "",
      "message_title": message.isEmpty ? "" : "\(profile.name) says:",
      "message": message,
      "alert_time": delivery.alert.map { calendar.describeForOthers($0.raisedAt) } ?? "",
      "checked_in": checkedIn,
      "resolved_time": delivery.alert?.resolvedAt.map(calendar.describeForOthers) ?? "",
    ]
    return common.merging(outingValues) { one, _ in one }
  }
}

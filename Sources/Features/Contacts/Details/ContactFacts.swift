import Domain
import FoundationEssentials
import Terminal

/// The facts about a contact, one per line (CON-5).
struct ContactFacts: View {
  let contact: Contact
  let snapshot: AccountSnapshot
  /// Whether the facts are shown beside the list, with less space and without the sheet's keys.
  var isBesideList = false

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      if contact.link != nil || contact.declinedAt != nil { statusLines }
      LabeledContent("roles", value: contact.roles.displayText)
      if contact.isResponder, let wait = contact.waitText {
        LabeledContent("notified", value: "\(wait), if nobody is responding")
      }
      if contact.hearsCheckIns == true {
        LabeledContent(
          "each check-in", value: contact.isLinked ? "you get a message" : "they get a message")
      }
      if contact.link == nil { channels }
      if contact.isActive || contact.link == nil {
        LabeledContent("phone", value: contact.phone.map(PhoneNumber.grouped) ?? "–")
      }
      if let address = contact.link?.dependentStatus?.address {
        LabeledContent("address", value: address)
      }
      if let access = contact.link?.dependentStatus?.access {
        LabeledContent("how to get in", value: access)
      }
      if contact.link?.dependentStatus != nil || contact.link == nil {
        LabeledContent("note", value: contact.note.isEmpty ? "–" : contact.note)
      }
      LabeledContent("added", value: exact(contact.addedAt))
    }
  }

  /// The first four channels with their health (CON-5). The channels sheet shows the rest.
  @ViewBuilder private var channels: some View {
    if contact.channels.isEmpty {
      LabeledContent("notified by", value: "no channel – can't be notified")
    } else {
      ForEach(Array(contact.channels.prefix(4).enumerated()), id: \.offset) { index, channel in
        HStack(alignment: .top, spacing: 2) {
          Text(index == 0 ? "notified by" : "").foreground(.dim)
            .frame(width: 14, alignment: .leading)
          // Beside the list, one line has no space for the health after the address.
          if isBesideList {
            twoLines(channel)
          } else {
            ViewThatFits {
              ChannelLine(channel: channel, snapshot: snapshot, addressWidth: 20)
              twoLines(channel)
            }
          }
        }
      }
      if contact.channels.count > 4 {
        LabeledContent(
          "", value: "and \(contact.channels.count - 4) more" + (isBesideList ? "" : ": press h"))
      }
    }
  }

  private func twoLines(_ channel: Channel) -> some View {
    let health = ChannelHealthLine(channel, in: snapshot)
    return VStack(alignment: .leading, spacing: 0) {
      Text("\(channel.kind.mark) \(channel.shortAddress)").lineLimit(1)
      Text(health.text).foreground(health.role).lineLimit(3).padding(.leading, 2)
    }
  }

  private var byLink: String {
    contact.link?.dependentStatus?.lastSource == .link ? ", by a link" : ""
  }

  @ViewBuilder private var statusLines: some View {
    let status = contact.status(at: snapshot.now)
    if !contact.isActive || contact.link?.dependentStatus != nil {
      HStack(spacing: 1) {
        Text(status.mark.text).bold().foreground(status.mark.role)
        Text(status.text(of: contact, in: snapshot)).bold().foreground(status.mark.role)
      }
      Text("")
    }
    if let dependent = contact.link?.dependentStatus {
      LabeledContent(
        "last check-in",
        value: "\(exact(dependent.lastCheckIn))\(byLink) · \(dependent.promise.text)")
      if let outing = dependent.outing {
        LabeledContent(
          "out until",
          value: exact(outing.until) + (outing.text.isEmpty ? "" : " · \(outing.text)"))
      }
      if let alert = dependent.alert {
        LabeledContent("alert", value: "\(alert.displayTitle) \(exact(alert.raisedAt))")
        ForEach(alert.acknowledgements, id: \.responder) { acknowledgement in
          LabeledContent(
            "", value: "✓ \(acknowledgement.name) is responding, \(exact(acknowledgement.date))")
        }
      }
    }
    if let ping = contact.link?.sentPing {
      LabeledContent("your ping", value: describe(ping.asOf(snapshot.now)))
    }
    if let ping = contact.link?.receivedPing {
      LabeledContent("their ping", value: describe(ping.asOf(snapshot.now)))
    }
  }

  private func describe(_ ping: Ping) -> String {
    let sent = "sent \(exact(ping.sentAt))"
    guard let end = ping.endedAt else { return "\(sent), open" }
    return "\(sent), \(ping.state.rawValue) \(exact(end))"
  }

  private func exact(_ date: Date) -> String {
    snapshot.calendar.describe(date, now: snapshot.now)
  }
}

extension Alert {
  /// The title of the alert for a responder. A silent one says why nobody should call.
  fileprivate var displayTitle: String {
    switch kind {
    case .manual: "raised"
    case .missed: "deadline missed"
    case .outing: "not back"
    case .duress: "\(Alert.silentAdvice):"
    case .drill: "drill"
    }
  }
}

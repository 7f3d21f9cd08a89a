import Domain
import Terminal

/// One message with its recipient, channel and state.
struct DeliveryLine: View {
  let delivery: DeliveryReport
  let snapshot: AccountSnapshot
  /// Whether to show the stage, which is left out if it is the same on every line.
  var showsStage = true
  /// Whether to show the name, which is left out if it is the same on every line.
  var showsRecipient = true

  var body: some View {
    let clock = when
    let channel = delivery.channel.mark
    VStack(alignment: .leading, spacing: 0) {
      HStack(spacing: 1) {
        Text(delivery.mark).foreground(delivery.role).frame(width: 1)
        if showsRecipient { Text(delivery.recipient).frame(width: 22, alignment: .leading) }
        if showsStage {
          Text(delivery.title).foreground(.dim).frame(width: 16, alignment: .leading)
        }
        switch delivery.state {
        case .sent: Text("\(channel) sent \(clock)")
        case .pending where delivery.waitingText(in: snapshot) != nil:
          Text("\(channel) \(delivery.waitingText(in: snapshot) ?? "")")
        case .pending where delivery.mayHaveBeenSent:
          Text("\(channel) may have been sent, again \(clock)")
        case .failed where delivery.mayHaveBeenSent:
          Text("\(channel) may have been sent")
        case .pending where snapshot.failureReason(on: delivery.channel) != nil:
          Text("\(channel) waits")
        case .pending where delivery.error == nil: Text("\(channel) on its way")
        case .pending: Text("\(channel) trying again \(clock)")
        case .failed: Text("\(channel) refused \(clock)")
        case .cancelled: Text("\(channel) no longer needed")
        }
      }
      .lineLimit(1)
      if let error = delivery.error, delivery.state != .sent {
        Text(error).foreground(.warning).lineLimit(showsStage ? nil : 1).padding(.leading, 2)
      }
    }
  }

  /// The time of day, with the date unless it is today.
  private var when: String {
    let (calendar, date) = (snapshot.calendar, delivery.date)
    let time = calendar.time(of: date)
    return time.dayNumber == calendar.time(of: snapshot.now).dayNumber
      ? time.clock : calendar.describe(date, now: snapshot.now)
  }
}

extension DeliveryReport {
  /// What the message is about; of a drill that it is one.
  var title: String {
    isDrill ? stage.title.replacing("alert", with: "drill") : stage.title
  }

  var mark: String {
    switch state {
    case .sent: "✓"
    case .pending: "…"
    case .failed: "✗"
    case .cancelled: "–"
    }
  }

  var role: ThemeRole {
    switch state {
    case .sent: .calm
    case .pending: error == nil ? .dim : .warning
    case .failed: .danger
    case .cancelled: .dim
    }
  }
}

extension Stage {
  fileprivate var title: String {
    switch self {
    case .reminder: "reminder"
    case .pauseEnds: "pause ends"
    case .deadlinePassed: "deadline passed"
    case .noticedLate: "deadline passed unwatched"
    case .nonResponsive: "deadline missed"
    case .nonResponsiveAgain: "still no check-in"
    case .allClear: "all clear"
    case .alertOn: "alert"
    case .alertOnAgain: "alert still on"
    case .alertNote: "your message"
    case .alertOff: "alert over"
    case .acknowledged: "acknowledged"
    case .withdrawn: "withdrawn"
    case .linkPressed: "link pressed"
    case .lateSign: "late check-in"
    case .contactAdded: "named as a contact"
    case .channelTest: "test"
    case .accountDeleted: "account deleted"
    case .unwatched: "nobody is watching"
    case .passwordReset: "new password"
    case .passwordWasReset: "password was reset"
    case .addressCode: "code for a new address"
    case .addressReplaced: "address was changed"
    case .addressTakenBack: "address was brought back"
    case .requestWaits: "a request waits"
    case .serverRestored: "server was restored"
    case .responderNotice: "notice"
    case .reassurance: "you are well"
    case .checkedIn: "you checked in"
    case .outingEnds: "be back"
    case .outingNoticedLate: "outing ended unwatched"
    }
  }
}

import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal status`: how the person stands, in words, as JSON, and as the exit code.
struct StatusCommand {
  var asJSON: Bool

  /// What was read, before it is put into words.
  struct Report: Equatable {
    var user: User
    var status: CheckInStatus
    var responders: Int
    var now: Date

    var exitCode: ExitCode {
      switch status {
      case .ok, .paused: .ok
      case .dueSoon: .dueSoon
      case .overdue, .nonResponsive: .overdue
      case .alert: .alert
      }
    }

    /// One line with its keys in a fixed order, for scripts.
    var json: String {
      let deadline = user.deadline
      let fields = [
        ("name", JSONText.string(user.profile.name)),
        ("status", JSONText.string(status.rawValue)),
        ("last_check_in", JSONText.string(user.lastCheckIn.rfc3339)),
        ("deadline", JSONText.string(deadline.date.rfc3339)),
        ("seconds_left", "\(deadline.secondsLeft(at: now))"),
        ("responders", "\(responders)"),
      ]
      return JSONText.object(fields)
    }
  }

  func run(_ console: Console) async throws(StatusError) -> ExitCode {
    @Dependency(\.userClient) var userClient
    @Dependency(\.contactsClient) var contactsClient
    @Dependency(\.alertClient) var alertClient
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.dateClient) var dateClient

    let report: Report
    let watch: WatchStatus
    do {
      let user = try await userClient.currentUser()
      let responders = try await contactsClient.contacts().filter { $0.roles.contains(.responder) }
      let alertIsOn = try await alertClient.history(100).contains {
        $0.alert.isActive && $0.alert.kind == .manual
      }
      watch = try await watchClient.status()
      let now = dateClient.now()
      report = Report(
        user: user, status: alertIsOn ? .alert : user.deadline.status(at: now),
        responders: responders.count, now: now)
    } catch {
      throw StatusError(
        text: (error as? any AppError)?.text ?? StorageError.unknown("\(error)").text)
    }
    console.say(asJSON ? report.json : words(report, watch, dateClient.calendar))
    return report.exitCode
  }

  private func words(_ report: Report, _ watch: WatchStatus, _ calendar: CivilCalendar) -> String {
    let deadline = report.user.deadline
    let left = TimeSpan(seconds: deadline.secondsLeft(at: report.now))
    let time = left > .zero ? "\(left.shortDescription) left" : "overdue \(left.shortDescription)"
    let due = calendar.describe(deadline.date, now: report.now)
    let last = calendar.describe(report.user.lastCheckIn, now: report.now)
    var lines = [
      "\(report.user.profile.name): \(report.status.words), \(time)",
      "last check-in  \(last)",
      "deadline       \(due)",
      "responders     \(report.responders == 0 ? "none – nobody would be told" : "\(report.responders)")",
    ]
    var watching =
      switch watch.monitors {
      case 0: "nobody – start “lifesignal monitor”"
      case 1: "1 monitor"
      default: "\(watch.monitors) monitors"
      }
    if let problem = watch.problem { watching += ", but messages cannot be sent: \(problem)" }
    lines.append("watched by     \(watching)")
    return lines.joined(separator: "\n")
  }
}

/// Whatever went wrong while the status was read.
struct StatusError: AppError {
  var text: ErrorText
}

extension CheckInStatus {
  /// The status in a sentence.
  fileprivate var words: String {
    switch self {
    case .ok: "all is well"
    case .dueSoon: "due soon"
    case .overdue: "the deadline has passed"
    case .nonResponsive: "non-responsive, responders are being told"
    case .alert: "an alert is on"
    case .paused: "paused"
    }
  }
}

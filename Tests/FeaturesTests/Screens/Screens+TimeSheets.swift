import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The sheets of the Check-In tab: standby, pauses, the history and the interval.
extension Screen {
  static let timeSheets: [Screen] = [
    Screen(name: "standby") {
      changing(signedIn()) {
        $0.main?[StandbyFeature.self] = StandbyFeature.State()
        $0.main?[StandbyFeature.self]?.form = Form([
          .heartbeat: TextInput("https://hc-ping.com/ada", limit: 2_000),
          .topic: TextInput("", limit: 2_000),
        ])
      }
    },
    Screen(name: "out") { signedIn { $0.user.outing = Sample.outing } },
    Screen(name: "not-back") {
      signedIn {
        $0.user.outing = Sample.outing
        $0.user.outing?.until = Sample.now - .minutes(25)
        $0.alerts = [
          AlertReport(
            alert: Alert(
              id: Sample.outing.id, kind: .outing, message: Sample.outing.text,
              raisedAt: Sample.now - .minutes(10), dueBack: Sample.now - .minutes(25)))
        ]
      }
    },
    Screen(name: "go-out") {
      changing(signedIn()) {
        var outing = OutingFeature.State(snapshot: $0.main!.snapshot)
        outing.form[.end] = TextInput("tomorrow 9:00", limit: 40)
        outing.form[.text] = TextInput(Sample.outing.text, limit: 500, isMultiline: true)
        $0.main?[OutingFeature.self] = outing
      }
    },
    Screen(name: "back") {
      changing(signedIn { $0.user.outing = Sample.outing }) {
        let snapshot = $0.main!.snapshot
        $0.main?[BackFeature.self] = BackFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "later") {
      changing(signedIn { $0.user.outing = Sample.outing }) {
        let snapshot = $0.main!.snapshot
        $0.main?[LaterFeature.self] = LaterFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "pause") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?[PauseFeature.self] = PauseFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "pause-confirmation") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?[PauseFeature.self] = PauseFeature.State(snapshot: snapshot)
        $0.main?[PauseFeature.self]?.step = .confirming(Sample.now + .days(2))
      }
    },
    Screen(name: "pause-confirmation-out") {
      changing(signedIn { $0.user.outing = Sample.outing }) {
        let snapshot = $0.main!.snapshot
        $0.main?[PauseFeature.self] = PauseFeature.State(snapshot: snapshot)
        $0.main?[PauseFeature.self]?.step = .confirming(Sample.now + .days(2))
      }
    },
    Screen(name: "pause-resumption") {
      changing(signedIn { $0.user = PauseFeatureTests.paused }) {
        let snapshot = $0.main!.snapshot
        $0.main?[PauseFeature.self] = PauseFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "unsent") {
      let state = signedIn {
        $0.host = .server(name: "family.example")
        $0.outbox = Outbox(checkIns: OutboxTests.refused.checkIns + OutboxTests.waiting.checkIns)
      }
      return changing(state) { $0.main?[UnsentFeature.self] = UnsentFeature.State() }
    },
    Screen(name: "history") {
      let state = signedIn {
        $0.record = CheckInRecord($0.history, calendar: .utc)
      }
      return changing(state) {
        let snapshot = $0.main!.snapshot
        $0.main?[HistoryFeature.self] = HistoryFeature.State(snapshot: snapshot)
        $0.main?[HistoryFeature.self]?.request.isRunning = false
      }
    },
    Screen(name: "interval") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?[IntervalFeature.self] = IntervalFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "interval-confirmation") {
      changing(signedIn()) {
        var interval = IntervalFeature.State(snapshot: $0.main!.snapshot)
        interval.proposed = .interval(CheckInInterval.presets[0])
        $0.main?[IntervalFeature.self] = interval
      }
    },
    Screen(name: "interval-times") {
      changing(signedIn()) {
        var interval = IntervalFeature.State(snapshot: $0.main!.snapshot)
        interval.proposed = try? Promise(parsing: "mon-fri 8:30, 18:00 Europe/Berlin", zone: "UTC")
        $0.main?[IntervalFeature.self] = interval
      }
    },
    Screen(name: "check-in-set-times") {
      signedIn {
        $0.user = try! $0.user.changing(
          to: Promise(parsing: "daily 9:00 Europe/Berlin", zone: "UTC"), at: Sample.now)
      }
    },
    Screen(name: "interval-other") {
      changing(signedIn()) {
        var interval = IntervalFeature.State(snapshot: $0.main!.snapshot)
        interval.position.selected = CheckInInterval.presets.count
        interval.customText = TextInput("banana", limit: 200)
        interval.error = .duration("banana")
        $0.main?[IntervalFeature.self] = interval
      }
    },
    Screen(name: "pause-other") {
      changing(signedIn()) {
        var pause = PauseFeature.State(snapshot: $0.main!.snapshot)
        pause.position.selected = Pause.presets.count
        pause.customText = TextInput("40d", limit: 40)
        pause.error = .pauseRange
        $0.main?[PauseFeature.self] = pause
      }
    },
  ]
}

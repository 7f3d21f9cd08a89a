import Clients
import Domain
import FoundationEssentials
import Terminal
import Testing

@testable import Features

/// A screen to be looked at: its name, and the state that shows it.
struct Screen: CustomTestStringConvertible, Sendable {
  var name: String
  var state: @Sendable () -> AppFeature.State
  var testDescription: String { name }
}

extension Screen {
  static func signedIn(
    _ change: (inout AccountSnapshot) -> Void = { _ in }
  ) -> AppFeature.State {
    var snapshot = Sample.snapshot()
    snapshot.history = (0..<12).map { index in
      let source: CheckIn.Source = index % 3 == 0 ? .commandLine : .manual
      let margin: TimeSpan = index == 4 ? .minutes(-50) : .minutes(60 + index * 7)
      return CheckIn(
        id: Sample.id(UInt8(50 + index)), date: Sample.now - .hours(2 + index * 23),
        source: source, sequence: 20 - index, margin: margin)
    }
    snapshot.watch = WatchStatus(monitors: 1, lastSeen: Sample.now)
    snapshot.record = CheckInRecord(snapshot.history, calendar: .utc)
    change(&snapshot)
    var state = AppFeature.State()
    state.main = MainTabFeature.State(snapshot: snapshot)
    return state
  }

  static let alertReports = [
    AlertReport(
      alert: Sample.alert,
      deliveries: [
        DeliveryReport(
          id: Sample.id(30), stage: .alertOn, recipient: "Grace Hopper", channel: .email,
          address: "grace@navy.example", state: .sent, date: Sample.now),
        DeliveryReport(
          id: Sample.id(31), stage: .alertOn, recipient: "Alan Turing", channel: .email,
          address: "alan@example.org", state: .pending, date: Sample.now + .minutes(2),
          error: "The mail server answered 451: try later."),
      ]),
    AlertReport(
      alert: Alert(
        id: Sample.id(32), kind: .missed, raisedAt: Sample.now - .days(3), sequence: 3,
        resolvedAt: Sample.now - .days(3) + .hours(2))),
  ]

  /// What is told on screen, newest first.
  static let notifications: [NotificationItem] = [
    item(70, .alertSent, minutes: 0, detail: "fell", isRead: false),
    item(
      71, .deliveryFailed, minutes: 1, subject: "Grandpa", detail: "550 no such user", isRead: false
    ),
    item(72, .reminder, minutes: 30, detail: "30m"),
    item(73, .pingReceived, minutes: 90, subject: "Alan Turing"),
    item(74, .contactAccepted, minutes: 2_000, subject: "Grace Hopper"),
    item(75, .success, minutes: 3_000, detail: "Drill: all 2 responders were told, within 3 s."),
    item(76, .allClear, minutes: 4_200),
    item(77, .nonResponsive, minutes: 4_320),
  ]

  private static func item(
    _ number: UInt8, _ kind: NotificationItem.Kind, minutes: Int, subject: String = "",
    detail: String = "", isRead: Bool = true
  ) -> NotificationItem {
    NotificationItem(
      id: Sample.id(number), kind: kind, date: Sample.now - .minutes(minutes), isRead: isRead,
      subject: subject, detail: detail)
  }

  /// The Alerts tab with a history.
  static func alertsTab(
    _ alerts: [AlertReport] = alertReports, _ change: (inout AlertsFeature.State) -> Void = { _ in }
  ) -> AppFeature.State {
    changing(
      signedIn {
        $0.alerts = alerts
        $0.notifications = notifications
      }
    ) {
      $0.main?.selectedTab = .alerts
      if var tab = $0.main?.alerts {
        change(&tab)
        $0.main?.alerts = tab
      }
    }
  }

  private static let drill = AlertReport(
    alert: Alert(id: Sample.id(35), kind: .drill, raisedAt: Sample.now - .minutes(3_001)),
    deliveries: [
      DeliveryReport(
        id: Sample.id(36), stage: .alertOn, recipient: "Grace Hopper", channel: .email,
        address: "grace@navy.example", state: .sent,
        date: Sample.now - .minutes(3_001) + .seconds(3), plannedAt: Sample.now - .minutes(3_001))
    ])

  static func changing(
    _ state: AppFeature.State, _ change: (inout AppFeature.State) -> Void
  ) -> AppFeature.State {
    var state = state
    change(&state)
    return state
  }

  static func onboarding(_ step: OnboardingFeature.Step) -> AppFeature.State {
    var state = AppFeature.State()
    state.onboarding = OnboardingFeature.State(calendar: .utc)
    state.onboarding?.show(step)
    return state
  }

  static let all: [Screen] =
    opening + checkIn + contacts + relations + rest + security + documents + channels

  private static let opening: [Screen] = [
    Screen(name: "opening") { AppFeature.State() },
    Screen(name: "failure") {
      changing(AppFeature.State()) {
        $0.failure = StorageError.corrupt(detail: "Page 3 is malformed.").text
      }
    },
    Screen(name: "onboarding-person") {
      changing(onboarding(.person)) {
        $0.onboarding?.form[.name] = TextInput("A", limit: 200)
        _ = $0.onboarding?.form.isRight(OnboardingFeature.validate)
      }
    },
    Screen(name: "onboarding-note") { onboarding(.note) },
    Screen(name: "onboarding-interval") { onboarding(.interval) },
    Screen(name: "onboarding-responder") { onboarding(.responder) },
    Screen(name: "onboarding-alone") {
      changing(onboarding(.responder)) { $0.onboarding?.isConfirmingNoResponder = true }
    },
  ]

  /// The alert of a deadline before the running one.
  private static let missed = AlertReport(
    alert: Alert(
      id: Sample.id(33), kind: .missed, raisedAt: Sample.now - .hours(1), sequence: 0),
    deliveries: [
      DeliveryReport(
        id: Sample.id(34), stage: .nonResponsive, recipient: "Grace Hopper", channel: .email,
        address: "grace@navy.example", state: .sent, date: Sample.now - .hours(1))
    ])

  private static let checkIn: [Screen] = [
    Screen(name: "check-in") { signedIn() },
    Screen(name: "check-in-reading") {
      var state = AppFeature.State()
      state.main = MainTabFeature.State(
        snapshot: AccountSnapshot(user: Sample.user, now: Sample.now, calendar: .utc))
      return state
    },
    Screen(name: "check-in-last-hour") {
      signedIn { $0.user.lastCheckIn = Sample.now - .hours(24) + .seconds(1_385) }
    },
    Screen(name: "check-in-overdue") {
      signedIn {
        $0.user.lastCheckIn = Sample.now - .hours(24) - .minutes(7)
        $0.watch = WatchStatus(monitors: 0)
      }
    },
    Screen(name: "check-in-nobody") {
      signedIn {
        $0.contacts = []
        $0.history = []
        $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up")
      }
    },
    Screen(name: "check-in-alert") { signedIn { $0.alerts = alertReports } },
    Screen(name: "check-in-alert-unsent") {
      signedIn {
        $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up in config.json5")
        $0.alerts = [AlertReport(alert: Sample.alert)]
      }
    },
    Screen(name: "check-in-refused") {
      signedIn {
        $0.watch?.lastSeen = Sample.now - .seconds(17)
        $0.alerts = [CheckInFeatureTests.ended(.failed, error: "550 no such user")]
      }
    },
    Screen(name: "check-in-missed-then-longer") { signedIn { $0.alerts = [missed] } },
    Screen(name: "check-in-missed-then-overdue") {
      signedIn {
        $0.user.lastCheckIn = Sample.now - .hours(24) - .minutes(7)
        $0.alerts = [missed]
      }
    },
    Screen(name: "check-in-failed") {
      changing(signedIn()) { $0.main?.checkIn.error = StorageError.busy.text }
    },
    Screen(name: "check-in-paused") { signedIn { $0.user = PauseFeatureTests.paused } },
    Screen(name: "standby") {
      changing(signedIn()) {
        $0.main?.checkIn.standby = StandbyFeature.State()
        $0.main?.checkIn.standby?.form = Form([
          .heartbeat: TextInput("https://hc-ping.com/ada", limit: 2_000),
          .topic: TextInput("", limit: 2_000),
        ])
      }
    },
    Screen(name: "pause") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?.checkIn.pause = PauseFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "pause-confirmation") {
      changing(signedIn { $0.user.locks = .gate }) {
        let snapshot = $0.main!.snapshot
        $0.main?.checkIn.pause = PauseFeature.State(snapshot: snapshot)
        $0.main?.checkIn.pause?.step = .confirming(Sample.now + .days(2))
      }
    },
    Screen(name: "pause-resumption") {
      changing(signedIn { $0.user = PauseFeatureTests.paused }) {
        let snapshot = $0.main!.snapshot
        $0.main?.checkIn.pause = PauseFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "history") {
      let state = signedIn {
        $0.record = CheckInRecord($0.history, calendar: .utc)
      }
      return changing(state) {
        let snapshot = $0.main!.snapshot
        $0.main?.checkIn.history = HistoryFeature.State(snapshot: snapshot)
        $0.main?.checkIn.history?.isLoading = false
      }
    },
    Screen(name: "palette") {
      changing(signedIn()) {
        $0.palette = AppFeature.Palette()
        $0.palette?.query.apply(.insert("al"))
      }
    },
    Screen(name: "alert-confirmation") {
      changing(signedIn()) { $0.main?.emergency.phase = .confirming }
    },
    Screen(name: "settings") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?.selectedTab = .profile
        $0.main?.profile.settings = SettingsFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "reminders") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.escalation = EscalationFeature.State(user: Sample.user)
      }
    },
    Screen(name: "interval") {
      changing(signedIn()) {
        let snapshot = $0.main!.snapshot
        $0.main?.checkIn.interval = IntervalFeature.State(snapshot: snapshot)
      }
    },
    Screen(name: "interval-confirmation") {
      changing(signedIn()) {
        var interval = IntervalFeature.State(snapshot: $0.main!.snapshot)
        interval.proposed = CheckInInterval.presets[0]
        $0.main?.checkIn.interval = interval
      }
    },
  ]

  private static let contacts: [Screen] = [
    Screen(name: "responders") {
      changing(signedIn()) { $0.main?.selectedTab = .responders }
    },
    Screen(name: "responders-empty") {
      changing(signedIn { $0.contacts = [] }) { $0.main?.selectedTab = .responders }
    },
    Screen(name: "responders-filter") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        $0.main?.responders.filter.apply(.begin)
        $0.main?.responders.filter.apply(.edit(.insert("gra")))
      }
    },
    Screen(name: "contact-form") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(adding: .responder)
        form.form[.name] = TextInput("Mary Ward", limit: 200)
        form.form[.address] = TextInput("mary@", limit: 300)
        _ = form.form.isRight(ContactFormFeature.validation(.email))
        $0.main?.responders.destination = .form(form)
      }
    },
    Screen(name: "contact-form-discard") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(editing: Sample.grace)
        form.form.isConfirmingDiscard = true
        $0.main?.responders.destination = .form(form)
      }
    },
    Screen(name: "contact-form-newer") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(editing: Sample.grace)
        form.newer = Sample.alan
        form.newer?.note = String(repeating: "Penicillin allergy. ", count: 100)
        $0.main?.responders.destination = .form(form)
      }
    },
    Screen(name: "contact-details") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.selectedTab = .responders
        let snapshot = $0.main!.snapshot
        $0.main?.responders.destination = .details(
          ContactDetailsFeature.State(contact: Sample.alan, snapshot: snapshot))
      }
    },
    Screen(name: "contact-removal") {
      changing(signedIn { $0.contacts = [Sample.grace] }) {
        $0.main?.selectedTab = .responders
        var details = ContactDetailsFeature.State(
          contact: Sample.grace, snapshot: $0.main!.snapshot)
        details.isConfirmingRemoval = true
        $0.main?.responders.destination = .details(details)
      }
    },
    Screen(name: "dependents") {
      changing(signedIn()) { $0.main?.selectedTab = .dependents }
    },
    Screen(name: "dependents-newest") {
      changing(
        signedIn {
          $0.contacts = [Sample.alan, Sample.grace].map { contact in
            var contact = contact
            contact.roles = .dependent
            return contact
          }
          $0.contacts[1].addedAt = Sample.now
        }
      ) {
        $0.main?.selectedTab = .dependents
        $0.main?.dependents.sort()
        $0.main?.dependents.sort()
      }
    },
  ]

  private static let relations: [Screen] = [
    Screen(name: "relations-dependents") {
      changing(signedIn { $0.contacts = Sample.relations }) {
        $0.main?.selectedTab = .dependents
      }
    },
    Screen(name: "relations-responders") {
      changing(signedIn { $0.contacts = Sample.relations + [Sample.grace] }) {
        $0.main?.selectedTab = .responders
      }
    },
    Screen(name: "relation-alert") { details(of: Sample.charles) },
    Screen(name: "relation-offer") { details(of: Sample.katherine) },
    Screen(name: "relation-ping") {
      changing(details(of: Sample.mary)) {
        $0.main!.dependents.editDetails { $0.isConfirmingPing = true }
      }
    },
    Screen(name: "relation-roles") {
      changing(details(of: Sample.mary)) {
        $0.main?.dependents.editDetails { $0.roles = RolesFeature.State(contact: $0.contact) }
      }
    },
    Screen(name: "relation-roles-confirmation") {
      changing(details(of: Sample.mary)) {
        $0.main?.dependents.editDetails {
          var roles = RolesFeature.State(contact: $0.contact)
          roles.proposed = .responder
          $0.roles = roles
        }
      }
    },
    Screen(name: "relation-removal") {
      changing(details(of: Sample.mary)) {
        $0.main?.dependents.editDetails { $0.isConfirmingRemoval = true }
      }
    },
    Screen(name: "code") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.modules = Sample.modules
        code.message = "Copied, if your terminal allows it."
        $0.main?.profile.code = code
      }
    },
    Screen(name: "code-saving") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.modules = Sample.modules
        code.path = TextInput("code.gif", limit: 1_000)
        code.failure = QRCodeError.unknownFormat.text
        $0.main?.profile.code = code
      }
    },
    Screen(name: "code-reset") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.isConfirmingReset = true
        $0.main?.profile.code = code
      }
    },
    Screen(name: "code-entry") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var entry = CodeEntryFeature.State(adding: .responder)
        entry.form[.code] = TextInput("6F1C 2D80", limit: 256)
        _ = entry.form.isRight(CodeEntryFeature.validate)
        $0.main?.responders.destination = .codeEntry(entry)
      }
    },
    Screen(name: "code-entry-found") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var entry = CodeEntryFeature.State(adding: .responder, code: Sample.code)
        entry.found = .init(code: Sample.code, name: "Mary Somerville")
        $0.main?.responders.destination = .codeEntry(entry)
      }
    },
  ]

  private static func details(of contact: Contact) -> AppFeature.State {
    changing(signedIn { $0.contacts = Sample.relations }) {
      let snapshot = $0.main!.snapshot
      $0.main?.selectedTab = .dependents
      $0.main?.dependents.destination = .details(
        ContactDetailsFeature.State(contact: contact, snapshot: snapshot))
    }
  }

  private static let rest: [Screen] = [
    Screen(name: "alerts") { alertsTab() },
    Screen(name: "alerts-acknowledged") {
      var reports = alertReports
      reports[0].alert.acknowledgements = [
        Acknowledgement(responder: Sample.grace.id, name: "Grace Hopper", date: Sample.now)
      ]
      return alertsTab(reports)
    },
    Screen(name: "alerts-filtered") {
      alertsTab([drill]) {
        $0.filter = NotificationFilter(topic: .checkIns, isUnreadOnly: false)
        $0.search.apply(.begin)
        $0.search.apply(.edit(.insert("clear")))
      }
    },
    Screen(name: "alerts-drill-question") { alertsTab([]) { $0.question = .drill } },
    Screen(name: "alerts-clear-question") { alertsTab([]) { $0.question = .clear } },
    Screen(name: "alerts-failed") { alertsTab { $0.failure = StorageError.busy.text } },
    Screen(name: "drill-details") {
      var ended = drill
      ended.alert.resolvedAt = Sample.now - .minutes(3_000)
      return alertsTab([ended]) { $0.opened = Sample.id(75) }
    },
    Screen(name: "notification-details") { alertsTab { $0.opened = Sample.id(71) } },
    Screen(name: "alerts-empty") {
      changing(signedIn()) { $0.main?.selectedTab = .alerts }
    },
    Screen(name: "alert-details") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.selectedTab = .alerts
        $0.main?.alerts.opened = Sample.alert.id
      }
    },
    Screen(name: "profile") {
      changing(signedIn()) { $0.main?.selectedTab = .profile }
    },
    Screen(name: "profile-edit") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.edit = EditProfileFeature.State(profile: Sample.user.profile)
      }
    },
    Screen(name: "error-log") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.errorLog = ErrorLogFeature.State()
        $0.main?.profile.errorLog?.entries = ErrorLogFeatureTests.entries
      }
    },
    Screen(name: "error-log-counts") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.errorLog = ErrorLogFeature.State()
        $0.main?.profile.errorLog?.entries = ErrorLogFeatureTests.entries
        $0.main?.profile.errorLog?.isCounting = true
      }
    },
    Screen(name: "error-log-empty") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.errorLog = ErrorLogFeature.State()
        $0.main?.profile.errorLog?.entries = []
      }
    },
    Screen(name: "emergency-pressing") {
      changing(signedIn()) {
        for _ in 0..<4 { _ = $0.main?.emergency.trigger.press(at: Sample.now) }
      }
    },
    Screen(name: "emergency-countdown") {
      changing(signedIn()) { $0.main?.emergency.phase = .raising(secondsLeft: 4) }
    },
    Screen(name: "emergency-message") {
      changing(signedIn()) { $0.main?.emergency.phase = .writingMessage }
    },
    Screen(name: "emergency-nobody-sends") {
      changing(
        signedIn {
          $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up in config.json5")
          $0.alerts = [AlertReport(alert: Sample.alert)]
        }
      ) { $0.main?.emergency.phase = .raised(Sample.alert) }
    },
    Screen(name: "emergency-raised") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .raised(Sample.alert)
      }
    },
    Screen(name: "emergency-failed") {
      changing(signedIn()) { $0.main?.emergency.phase = .failed(StorageError.full.text) }
    },
    Screen(name: "emergency-cancelling") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .cancelling(secondsLeft: 3)
      }
    },
    Screen(name: "keys-and-toast") {
      changing(signedIn()) {
        $0.isShowingKeys = true
        $0.toast = AppFeature.Toast("Checked in. Next deadline tomorrow 08:00.")
      }
    },
    Screen(name: "quit-while-raising") {
      changing(signedIn()) {
        $0.main?.emergency.phase = .raising(secondsLeft: 4)
        $0.isConfirmingQuit = true
      }
    },
    Screen(name: "quit") {
      changing(onboarding(.person)) { $0.isConfirmingQuit = true }
    },
  ]
}

import Domain
import FoundationEssentials
import Testing

/// What the facts of an account mean together, for every program that shows it.
@Suite("The situation of an account")
struct SituationTests {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)
  private static let running = WatchStatus(monitors: 1, lastSeen: now)

  private static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }

  private static func contact(
    _ number: UInt8, _ kinds: Channel.Kind..., phone: String? = nil, link: AccountLink? = nil
  ) -> Contact {
    Contact(
      id: id(number), name: "Bo \(number)", phone: phone, roles: .responder,
      channels: kinds.enumerated().map {
        Channel(id: id(100 + number * 10 + UInt8($0)), kind: $1, address: "\($1) of \(number)")
      }, addedAt: now, link: link)
  }

  private static func message(
    to contact: Contact, _ state: DeliveryState, stage: Stage = .alertOn, after seconds: Int = 0,
    error: String? = nil
  ) -> DeliveryReport {
    DeliveryReport(
      id: id(UInt8(seconds)), stage: stage, recipientID: .contact(contact.id),
      recipient: contact.name, channel: contact.channels[0].kind,
      address: contact.channels[0].address, state: state, date: now + .seconds(seconds),
      error: error ?? (state == .failed ? "550 no such user" : nil))
  }

  private static func alert(
    _ kind: Alert.Kind = .manual, isOver: Bool = false, _ messages: DeliveryReport...
  ) -> AlertReport {
    var alert = Alert(id: id(kind == .manual ? 200 : 201), kind: kind, raisedAt: now)
    if isOver { alert.resolvedAt = now + 60 }
    return AlertReport(alert: alert, deliveries: messages)
  }

  private func situation(
    _ contacts: [Contact]?, _ alerts: [AlertReport] = [], watch: WatchStatus? = running,
    channels: ChannelOverview = ChannelOverview(), overview: ContactOverview? = nil
  ) -> Situation {
    Situation(
      of: AccountFacts(
        contacts: contacts, overview: overview, alerts: alerts, channels: channels, watch: watch,
        now: Self.now))
  }

  private static let mail = contact(1, .email)
  private static let topic = contact(2, .ntfy)
  private static let noMail = WatchStatus(
    monitors: 1, problem: "mail is not set up", failingKinds: [.email])

  @Test("Nobody would be notified: the reason is the first that applies, or nil if someone would")
  func unreachable() {
    func reason(_ situation: Situation) -> String? { situation.reach.unreachableReason }
    #expect(reason(situation([Self.mail])) == nil)
    #expect(reason(situation([], watch: WatchStatus(monitors: 0))) == "you have no responders")
    #expect(
      reason(situation([Self.mail], watch: WatchStatus(monitors: 0))) == "no monitor is running")
    #expect(reason(situation([Self.mail], watch: Self.noMail)) == "mail is not set up")
    #expect(reason(situation([Self.mail, Self.topic], watch: Self.noMail)) == nil)
    #expect(reason(situation([Self.contact(3)])) == "no responder has a channel")
    let refused = Self.alert(.manual, Self.message(to: Self.mail, .failed))
    #expect(reason(situation([Self.mail], [refused])) == "every message is refused")
    #expect(reason(situation([Self.mail, Self.topic], [refused])) == nil)
    let failing = ChannelOverview(last: [
      Self.mail.channels[0].id: Self.message(to: Self.mail, .pending, error: "no route")
    ])
    #expect(
      reason(situation([Self.mail], channels: failing)) == "the last messages couldn't be sent")
    // While neither the contacts nor the monitors are known, nothing is claimed.
    #expect(reason(situation(nil, watch: nil)) == nil)
    #expect(reason(situation(nil, watch: WatchStatus(monitors: 0))) == "no monitor is running")
    let overview = ContactOverview(
      responderCount: 1, firstResponders: [Self.mail], channelKinds: [.email], linked: [])
    #expect(reason(situation(nil, [refused], overview: overview)) == nil)
  }

  @Test("What the monitors report themselves isn't repeated as a reason of the contacts")
  func besidesWatch() {
    func reason(_ situation: Situation) -> String? {
      situation.reach.unreachableReasonBesidesWatch
    }
    #expect(reason(situation([Self.mail], watch: WatchStatus(monitors: 0))) == nil)
    #expect(reason(situation([], watch: WatchStatus(monitors: 0))) == "you have no responders")
    #expect(reason(situation([Self.mail], watch: Self.noMail)) == nil)
    // One can't be reached because of the monitors, and the other's messages are refused.
    let refused = Self.alert(.manual, Self.message(to: Self.topic, .failed))
    let both = situation([Self.mail, Self.topic], [refused], watch: Self.noMail)
    #expect(reason(both) == "every message is refused")
    #expect(both.reach.refusedCount == 2 && both.reach.firstReachable.isEmpty)
  }

  @Test("A responder's reach is judged by their channels, the monitors and the last messages")
  func responderReach() {
    let channels = ChannelOverview(last: [
      Self.mail.channels[0].id: Self.message(to: Self.mail, .sent, after: 5)
    ])
    #expect(
      situation([Self.mail]).reach(of: Self.mail, channels) == .sent(Self.now + .seconds(5)))
    #expect(situation([Self.mail]).reach(of: Self.mail, ChannelOverview()) == .untried)
    let late = situation([Self.mail, Self.topic], watch: Self.noMail)
    #expect(late.reach(of: Self.mail, channels) == .leftOut)
    #expect(late.reach(of: Self.contact(3), channels) == .noChannel)
    let refused = Self.alert(.manual, Self.message(to: Self.mail, .failed))
    #expect(situation([Self.mail], [refused]).reach(of: Self.mail, channels) == .refused)
    let waiting = ChannelOverview(last: [
      Self.mail.channels[0].id: Self.message(to: Self.mail, .pending)
    ])
    #expect(situation([Self.mail]).reach(of: Self.mail, waiting) == .waiting)
    var linked = AccountLink(user: Self.id(50), state: .active)
    let unknown = Self.contact(4, link: linked)
    #expect(situation([unknown]).reach(of: unknown, channels) == .byAccount)
    // An account with no channel can't be notified either.
    linked.channelKinds = []
    let silent = Self.contact(4, link: linked)
    #expect(situation([silent]).reach(of: silent, channels) == .noChannel)
  }

  @Test("The worst problem comes first: nobody reachable, then the monitors, then a test mail")
  func problem() {
    let own = Channel(id: Self.id(60), kind: .email, address: "ada@example.org")
    let test = DeliveryReport(
      id: Self.id(61), stage: .channelTest(own.id), recipientID: .owner, recipient: "Ada",
      channel: .email, address: own.address, state: .failed, date: Self.now, error: "550 no")
    let channels = ChannelOverview(own: [own], last: [own.id: test])
    #expect(situation([Self.topic]).problem == nil)
    #expect(situation([Self.topic], channels: channels).problem == .failedMailTest(test))
    #expect(
      situation([Self.topic], watch: Self.noMail, channels: channels).problem
        == .watch(.blocked(onlyMail: true, reason: "mail is not set up")))
    #expect(
      situation([Self.mail], watch: Self.noMail, channels: channels).problem
        == .nobodyReachable("mail is not set up"))
    // What blocks only channels that nobody uses is no problem.
    #expect(situation([Self.topic], watch: Self.noMail).problem == nil)
  }

  @Test("A fault that keeps monitors from watching at all comes before what they can't send")
  func fault() {
    let fault = WatchStatus(monitors: 0, fault: "The account was moved.")
    #expect(situation([Self.mail], watch: fault).watch.problem == .fault("The account was moved."))
    // Another account's fault is none of this one while its monitors run.
    let other = WatchStatus(
      monitors: 1, problem: "mail is not set up", fault: "Bo's account can't be watched.")
    #expect(
      situation([Self.mail], watch: other).watch.problem
        == .blocked(onlyMail: false, reason: "mail is not set up"))
    #expect(situation([Self.mail], watch: nil).watch.problem == nil)
    #expect(!situation([Self.mail], watch: nil).watch.isMissing)
  }

  @Test("ALT-3: an alert that nobody was sent says why, once the first attempt is over")
  func unsentReason() throws {
    func reason(_ contacts: [Contact], _ report: AlertReport, _ watch: WatchStatus? = Self.running)
      -> String?
    {
      situation(contacts, [report], watch: watch).outcomes[report.id]?.unsentReason
    }
    let (mail, topic) = (Self.mail, Self.topic)
    #expect(reason([mail], Self.alert(.manual)) == nil, "Nothing was tried yet.")
    #expect(reason([mail], Self.alert(.manual, Self.message(to: mail, .pending))) == nil)
    #expect(
      reason([mail], Self.alert(.manual, Self.message(to: mail, .pending, error: "No route.")))
        == "No route")
    #expect(reason([mail], Self.alert(.manual, Self.message(to: mail, .sent))) == nil)
    #expect(
      reason(
        [mail, topic],
        Self.alert(
          .manual, Self.message(to: mail, .failed), Self.message(to: topic, .sent, after: 1)))
        == nil)
    #expect(reason([], Self.alert(.manual)) == "you have no responders")
    #expect(
      reason([mail], Self.alert(.manual), WatchStatus(monitors: 0)) == "no monitor is running")
    #expect(reason([Self.contact(3)], Self.alert(.manual)) == "no responder has a channel")
  }

  @Test("CHK-6: an all-clear that wasn't sent to someone is kept until the next alert")
  func failedAllClear() {
    let failed = Self.message(to: Self.mail, .failed, stage: .allClear)
    let missed = Self.alert(.missed, isOver: true, failed)
    let found = situation([Self.mail], [missed]).failedAllClear
    #expect(found?.names == ["Bo 1"] && found?.kind == .missed && found?.count == 1)
    #expect([missed].unfinishedEnd == missed)
    #expect(situation([Self.mail], [Self.alert(.manual), missed]).failedAllClear == nil)
    let sent = Self.alert(
      .missed, isOver: true, Self.message(to: Self.mail, .sent, stage: .allClear))
    #expect(situation([Self.mail], [sent]).failedAllClear == nil && [sent].unfinishedEnd == nil)
  }

  @Test(
    "ORD-2: an alert raised by hand and a missed deadline are told apart, and a drill is neither")
  func active() {
    let (manual, missed) = (Self.alert(.manual), Self.alert(.missed))
    let drill = Self.alert(.drill)
    #expect([drill, missed, manual].raisedByHand == manual)
    #expect([drill, missed, manual].missed == missed)
    #expect([drill].raisedByHand == nil && [drill].missed == nil)
    #expect([Self.alert(.manual, isOver: true)].raisedByHand == nil)
  }

  @Test("Of many responders as many are named as a screen shows")
  func many() {
    let contacts = (1...150).map { number in
      Contact(
        id: Self.id(UInt8(number)), name: "Bo \(number)", phone: "\(number)", roles: .responder,
        channels: [
          Channel(
            id: UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))),
            kind: .email, address: "\(number)@example.org")
        ], addedAt: Self.now)
    }
    let calm = situation(contacts)
    #expect(calm.reach.firstReachable.count == 100 && calm.reach.firstWithPhone.count == 100)
    #expect(calm.reach.refusedCount == 0 && !calm.hasFailures)
    let blocked = situation(contacts, watch: Self.noMail)
    #expect(blocked.reach.firstRefused.count == 100 && blocked.reach.refusedCount == 150)
  }

  @Test("The last failure is the newest message that wasn't accepted, on whatever channel")
  func lastFailure() {
    func failure(_ date: Int, _ contact: Contact) -> DeliveryReport {
      Self.message(to: contact, .failed, after: date)
    }
    for (first, second) in [(10, 20), (20, 10)] {
      let channels = ChannelOverview(last: [
        Self.mail.channels[0].id: failure(first, Self.mail),
        Self.topic.channels[0].id: failure(second, Self.topic),
      ])
      let found = situation([Self.mail, Self.topic], channels: channels).reach.lastFailure
      #expect(found?.plannedAt == Self.now + .seconds(20))
    }
    let sent = ChannelOverview(last: [Self.mail.channels[0].id: Self.message(to: Self.mail, .sent)])
    #expect(situation([Self.mail], channels: sent).reach.lastFailure == nil)
  }

  @Test("Whether any message failed is known of every alert, also of one that is over")
  func hasFailures() {
    let failed = Self.alert(.missed, isOver: true, Self.message(to: Self.mail, .failed))
    #expect(situation([Self.mail], [failed]).hasFailures)
    let sent = Self.alert(
      .manual, Self.message(to: Self.mail, .sent), Self.message(to: Self.topic, .pending, after: 1))
    #expect(!situation([Self.mail], [sent]).hasFailures)
  }

  @Test("PNG-1: only a dependent who has agreed, and has no open ping, can be pinged")
  func pingable() {
    func contact(_ state: AccountLink.State, _ roles: Roles, ping: Ping? = nil) -> Contact {
      var link = AccountLink(user: Self.id(50), state: state)
      link.sentPing = ping
      var contact = Self.contact(4, link: link)
      contact.roles = roles
      return contact
    }
    let ping = Ping(id: Self.id(70), sentAt: Self.now)
    #expect(contact(.active, .dependent).isPingable(at: Self.now))
    #expect(!contact(.requested, .dependent).isPingable(at: Self.now))
    #expect(!contact(.active, .responder).isPingable(at: Self.now))
    #expect(!contact(.active, .dependent, ping: ping).isPingable(at: Self.now))
    #expect(!Self.mail.isPingable(at: Self.now))
  }
}

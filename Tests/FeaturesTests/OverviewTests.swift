import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// The first screen while the contacts are still loading.
@MainActor @Suite struct OverviewTests {
  private let overview = ContactOverview([Sample.alan, Sample.grace], naming: 2)

  private func snapshot(
    _ overview: ContactOverview?, alerts: [AlertReport]? = [],
    watch: WatchStatus? = WatchStatus(monitors: 1)
  ) -> AccountSnapshot {
    var snapshot = AccountSnapshot(
      user: Sample.user, history: [], alerts: alerts, watch: watch, now: Sample.now, calendar: .utc)
    if let overview { snapshot.expect(overview) }
    return snapshot
  }

  private func line(of snapshot: AccountSnapshot) -> String {
    let lines = FrameSnapshot.lines(
      of: RespondersLine(snapshot: snapshot, columns: 99), size: Size(columns: 120, rows: 1))
    return lines.joined(separator: "\n")
  }

  private func report(_ state: DeliveryState) -> AlertReport {
    AlertReport(
      alert: Sample.alert,
      deliveries: [
        DeliveryReport(
          id: Sample.id(70), stage: .alertOn, recipientID: .contact(Sample.grace.id),
          recipient: "Grace", channel: .email,
          address: "grace@navy.example", state: state, date: Sample.now)
      ])
  }

  @Test("CON-5: the responders line reads the same before and after the contacts are loaded")
  func same() {
    var known = snapshot(overview)
    let sooner = line(of: known)
    known.contacts = [Sample.alan, Sample.grace]
    #expect(line(of: known) == sooner)
    #expect(sooner.contains("2 are notified") && sooner.contains("Grace Hopper"))
  }

  @Test("CON-5: the responders line names nobody until alerts and monitors are known")
  func waits() {
    for snapshot in [
      snapshot(nil), snapshot(overview, alerts: nil), snapshot(overview, watch: nil),
      snapshot(overview, alerts: [report(.sent), report(.failed)]),
    ] {
      #expect(line(of: snapshot).contains("Reading your responders …"))
    }
    #expect(line(of: snapshot(overview, alerts: [report(.sent)])).contains("2 are notified"))
    var refused = snapshot(overview, alerts: [report(.failed)])
    refused.contacts = [Sample.alan, Sample.grace]
    #expect(line(of: refused).contains("1 of 2 is notified"))
  }

  @Test("CON-5: the first screen says nobody would be notified once this is known, not before")
  func nobody() {
    let nobody = ContactOverview([], naming: 2)
    #expect(
      line(of: snapshot(nobody, alerts: nil, watch: nil)).contains("Nobody would be notified:"))
    #expect(snapshot(nobody).hasNoResponders && !snapshot(nil).hasNoResponders)
    let silent = snapshot(overview, watch: WatchStatus(monitors: 0))
    #expect(line(of: silent).contains("No monitor is running: press w to start one."))
  }

  @Test("CHN-1: a responder with only mail isn't counted as notified if mail isn't set up")
  func leftOut() {
    var reached = Sample.alan
    reached.channels = [Channel(id: Sample.id(91), kind: .ntfy, address: "https://ntfy.sh/t")]
    var known = snapshot(
      ContactOverview([reached, Sample.grace], naming: 2),
      watch: WatchStatus(monitors: 1, problem: "mail is not set up", failingKinds: [.email]))
    #expect(line(of: known).contains("Reading your responders"))
    known.contacts = [reached, Sample.grace]
    #expect(line(of: known).contains("1 of 2 is notified"), "\(line(of: known))")
    #expect(line(of: known).contains("Grace Hopper ✗ can't be reached"))
    #expect(known.situation.reach(of: Sample.grace, known.channels) == .leftOut)
    #expect(known.situation.reach(of: reached, known.channels) == .untried)
  }

  @Test("ESC-1: a banner on other tabs names a dependent who hasn't checked in")
  func overdueDependent() {
    var known = snapshot(overview)
    known.contacts = [Sample.nonResponsive]
    let banner = DependentsBanner(snapshot: known, columns: 80, isOnTheirTab: false)
    let line = FrameSnapshot.lines(of: banner, size: Size(columns: 80, rows: 1)).joined()
    #expect(
      line.contains("Emmy Noether has not checked in") && line.contains("3 Details"), "\(line)")
  }

  @Test("CHN-1: a mail problem counts as blocking everyone only once the responders are known")
  func failureReason() {
    let mail = WatchStatus(monitors: 1, problem: "no mail", failingKinds: [.email])
    #expect(snapshot(nil, watch: mail).failureReason == nil)
    #expect(snapshot(overview, watch: mail).failureReason == "no mail")
    let reachable = ContactOverview([Sample.grace, Sample.reachable], naming: 1)
    #expect(snapshot(reachable, watch: mail).failureReason == nil)
  }

  @Test("ALT-1: an alert's countdown names no responders before they are known")
  func emergency() {
    func panel(_ snapshot: AccountSnapshot) -> String {
      var state = AppFeature.State()
      state.main = MainTabFeature.State(snapshot: snapshot)
      state.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
      let store = Store(initialState: state) { AppFeature() }
      let lines = FrameSnapshot.lines(
        of: AppView(store: store), size: Size(columns: 80, rows: 24))
      return lines.joined(separator: "\n")
    }
    #expect(panel(snapshot(nil)).contains("Reading your responders …"))
    #expect(!panel(snapshot(nil)).contains("nobody will be notified"))
    #expect(panel(snapshot(overview)).contains("Notifying Alan Turing and Grace Hopper when"))
    let one = ContactOverview([Sample.grace], naming: 2)
    #expect(panel(snapshot(one)).contains("Notifying Grace Hopper when this reaches zero"))
    #expect(panel(snapshot(ContactOverview([], naming: 2))).contains("nobody will be notified"))
  }
}

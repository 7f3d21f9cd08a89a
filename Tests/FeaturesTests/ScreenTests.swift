import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// Snapshots of every screen at 80 × 24 and 120 × 40, stored beside this file.
@MainActor @Suite struct ScreenTests {
  @Test(arguments: Screen.all)
  func screen(_ screen: Screen) {
    let store = Store(initialState: screen.state()) { AppFeature() }
    for size in [Size(columns: 80, rows: 24), Size(columns: 120, rows: 40)] {
      expectFrame(
        AppView(store: store), size: size,
        named: "\(screen.name)-\(size.columns)x\(size.rows)")
    }
  }

  @Test(
    "The tabs and the emergency view look as recorded in a window of 60 × 18",
    arguments: Screen.all.filter { smallest.contains($0.name) })
  func smallestWindow(_ screen: Screen) {
    let store = Store(initialState: screen.state()) { AppFeature() }
    expectFrame(AppView(store: store), size: AppView.smallest, named: "\(screen.name)-60x18")
  }

  nonisolated static let smallest: Set = [
    "check-in", "check-in-overdue", "check-in-alert", "responders", "dependents", "alerts",
    "profile",
    "emergency-countdown", "emergency-raised", "emergency-nobody-sends", "emergency-unanswered",
    "dependent-calls", "dependents-call",
  ]

  @Test("With reduced motion the countdown has no bar and still shows the seconds")
  func reducedMotion() {
    let state = Screen.changing(Screen.signedIn()) {
      $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
    }
    let store = Store(initialState: state) { AppFeature() }
    let host = ViewHost()
    func barsAndWords() -> (bars: Int, says: Bool) {
      let frame = host.frame(AppView(store: store), size: Size(columns: 120, rows: 40))
      let bars = frame.lines.count { $0.contains("━━━") }
      return (bars, frame.text.contains("Sends in 4 seconds"))
    }
    let moving = barsAndWords()
    host.reducesMotion = true
    let still = barsAndWords()
    #expect(still.bars == moving.bars - 1 && still.says && moving.says)
  }

  @Test("A server's account isn't offered a monitor, mail setup, restore or removing the password")
  func joined() {
    func text(_ state: AppFeature.State) -> String {
      let store = Store(initialState: state) { AppFeature() }
      return ViewHost().frame(AppView(store: store), size: Size(columns: 120, rows: 40)).text
    }
    func texts(_ host: AccountHost) -> [String] {
      let state = Screen.signedIn {
        $0.host = host
        $0.watch = WatchStatus(monitors: 0)
        $0.user.locks.insert(.password)
      }
      let profile = Screen.changing(state) { $0.main?.selectedTab = .profile }
      let palette = Screen.changing(state) {
        $0.palette = .init()
        $0.palette?.query.apply(.insert("restore"))
      }
      let security = Screen.changing(profile) {
        let snapshot = $0.main!.snapshot
        $0.main?[SecurityFeature.self] = SecurityFeature.State(snapshot: snapshot)
      }
      let signIn = Screen.changing(state) {
        $0.main = nil
        $0.authentication = AuthenticationFeature.State(host: host)
      }
      return [state, profile, palette, security, signIn].map(text)
    }
    let offers = [
      "press w to start one", "m Mail", "Restore a backup", "Remove the password", "in this store",
    ]
    for (text, offer) in zip(texts(.thisMachine), offers) { #expect(text.contains(offer)) }
    let joined = texts(.server(name: "family.example"))
    for (text, offer) in zip(joined, offers) { #expect(!text.contains(offer)) }
    #expect(joined[0].contains("No monitor is running on family.example"))
    #expect(joined[4].contains("your account on family.example"))
  }

  @Test("The Alerts tab shows the number of unread notifications, if any")
  func unread() {
    for (count, badge) in [(0, "4 Alerts  5"), (1, "4 Alerts 1 "), (2, "4 Alerts 2 ")] {
      let state = Screen.signedIn {
        $0.notifications = (0..<2).map {
          NotificationItem(
            id: Sample.id(UInt8(80 + $0)), kind: .alertSent, date: Sample.now, isRead: $0 >= count)
        }
      }
      let store = Store(initialState: state) { AppFeature() }
      let lines = FrameSnapshot.lines(of: AppView(store: store), size: Size(columns: 80, rows: 24))
      #expect(lines[0].contains(badge), "\(lines[0])")
    }
  }

  @Test("Below 60 × 18 the app shows the time left and the emergency key")
  func tooSmall() {
    let store = Store(initialState: Screen.signedIn()) { AppFeature() }
    let lines = FrameSnapshot.lines(of: AppView(store: store), size: Size(columns: 59, rows: 18))
    let text = lines.joined(separator: "\n")
    #expect(text.contains("The rest needs 60 × 18"), "\(text)")
    #expect(text.contains(" left") && text.contains("! five times raises an alert"), "\(text)")
    for size in [Size(columns: 1, rows: 1), Size(columns: 2, rows: 60), Size(columns: 0, rows: 0)] {
      _ = FrameSnapshot.lines(of: AppView(store: store), size: size)
    }
  }

  @Test("Control characters in names and notes don't reach the terminal")
  func hostile() {
    var state = Screen.signedIn { snapshot in
      snapshot.user.profile.name = "Ada\u{1B}[2J\u{9B}31m\u{202E}\u{7}"
      snapshot.contacts[0].name = "Grace\r\n\u{1B}]0;owned\u{7}"
      snapshot.contacts[0].note = String(repeating: "x\u{301}\u{302}", count: 4_000)
    }
    for tab in MainTabFeature.Tab.allCases {
      state.main?.selectedTab = tab
      let store = Store(initialState: state) { AppFeature() }
      let bytes = ViewHost().render(AppView(store: store), size: Size(columns: 80, rows: 24))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("\u{1B}[2J\u{9B}"))
      #expect(!text.contains("\u{1B}]0;"))
      #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{7}" || $0 == "\u{9B}" })
    }
  }
}

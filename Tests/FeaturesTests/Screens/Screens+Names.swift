import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// Names, notes and addresses that are long, wide or right-to-left.
extension Screen {
  /// A name of the greatest length, in characters two columns wide.
  static let wide = String(repeating: "山田", count: 25)
  static let long = "Wolfeschlegelsteinhausenbergerdorff Maximiliane-Ida"

  /// A screen on which all names are long.
  private static func named(_ change: (inout MainTabFeature.State) -> Void) -> AppFeature.State {
    changing(
      signedIn {
        $0.user.profile.name = long
        $0.user.profile.note = String(repeating: "ペニシリンアレルギー。", count: 40)
        $0.contacts = [wide, long, "محمد بن عبد الله", "e\u{301}\u{302} Ng\u{323}a"].enumerated()
          .map { index, name in
            Contact(
              id: Sample.id(UInt8(200 + index)), name: name, phone: "+442071838750",
              note: String(repeating: "Schlüssel ", count: 30), roles: [.responder, .dependent],
              channels: [
                Channel(
                  id: Sample.id(UInt8(210 + index)), kind: .email,
                  address: String(repeating: "a", count: 60) + "@example.org"),
                Channel(
                  id: Sample.id(UInt8(220 + index)), kind: .webhook,
                  address: "https://" + String(repeating: "hook.", count: 20) + "example/x"),
              ], addedAt: Sample.now - .days(20))
          }
        $0.alerts = [
          AlertReport(
            alert: Alert(
              id: Sample.id(230), kind: .manual, message: String(repeating: "滑倒了", count: 80),
              raisedAt: Sample.now),
            deliveries: [
              DeliveryReport(
                id: Sample.id(231), stage: .alertOn, recipientID: .contact(Sample.id(200)),
                recipient: wide, channel: .webhook,
                address: "https://hook.example", state: .pending, date: Sample.now,
                error: String(repeating: "no route to host ", count: 9))
            ])
        ]
        $0.notifications = [
          NotificationItem(
            id: Sample.id(232), kind: .pingReceived, date: Sample.now, subject: wide),
          NotificationItem(
            id: Sample.id(233), kind: .deliveryFailed, date: Sample.now, subject: long,
            detail: String(repeating: "550 no such user ", count: 9)),
        ]
      }
    ) {
      guard var main = $0.main else { return }
      change(&main)
      $0.main = main
    }
  }

  private static func details(of main: MainTabFeature.State) -> ContactDetailsFeature.State {
    ContactDetailsFeature.State(contact: main.responders.rows[0], snapshot: main.snapshot)
  }

  static let names: [Screen] =
    MainTabFeature.Tab.allCases.map { tab in
      Screen(name: "names-\(tab)") { named { $0.selectedTab = tab } }
    } + [
      Screen(name: "names-contact") {
        named {
          $0.selectedTab = .responders
          $0[ContactDetailsFeature.self] = details(of: $0)
        }
      },
      Screen(name: "names-contact-scrolled") {
        named {
          $0.selectedTab = .responders
          var snapshot = $0.snapshot
          snapshot.contacts[0].note = String(repeating: "Schlüssel ", count: 200)
          $0.show(snapshot)
          var details = details(of: $0)
          details.scrollOffset = 20
          $0[ContactDetailsFeature.self] = details
        }
      },
      Screen(name: "names-removal") {
        named {
          $0.selectedTab = .responders
          var details = details(of: $0)
          details.question = .removal
          $0[ContactDetailsFeature.self] = details
        }
      },
      Screen(name: "names-channels") {
        named {
          $0.selectedTab = .responders
          $0[ContactDetailsFeature.self] = details(of: $0)
          $0[ChannelsFeature.self] = ChannelsFeature.State(
            of: $0.responders.rows[0].id, snapshot: $0.snapshot)
        }
      },
      Screen(name: "names-form") {
        named {
          $0.selectedTab = .responders
          $0[ContactFormFeature.self] = ContactFormFeature.State(editing: $0.responders.rows[0])
        }
      },
      Screen(name: "names-alert") {
        named {
          $0.selectedTab = .alerts
          $0.alerts.opened = Sample.id(230)
        }
      },
      Screen(name: "names-emergency") {
        named { $0.emergency.phase = .raised($0.snapshot.alerts[0].alert) }
      },
    ]
}

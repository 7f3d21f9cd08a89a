import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials

extension DemoStory {
  /// Another person with an account.
  struct Neighbour: Sendable {
    var name: String
    var phone: String
    var note = ""
    var address: String?
    var access: String?
    /// The time since their last check-in.
    var checkedIn: TimeSpan

    var email: String {
      let mailbox = name.lowercased().split(separator: " ")[0].replacing("å", with: "a")
      return "\(mailbox)@neighbours.example"
    }
  }

  /// The user's dependents, one for each status.
  private static let tove = Neighbour(
    name: "Tove Berg", phone: "+46705551010", note: "Diabetes. Insulin in the fridge.",
    address: "Kvarngränd 7, 123 45 Björkby", access: "Key under the blue flower pot.",
    checkedIn: .hours(3))
  private static let ulrik = Neighbour(
    name: "Ulrik Dahl", phone: "+4791234567", note: "Hikes off the trails; red tent.",
    checkedIn: .hours(8))
  private static let maja = Neighbour(
    name: "Maja Lind", phone: "+46705551011", note: "Works alone in the workshop.",
    checkedIn: .hours(26))
  private static let asa = Neighbour(
    name: "Åsa Holm", phone: "+46705551015", note: "Night shifts; sleeps until two.",
    checkedIn: .minutes(1_446))
  private static let sven = Neighbour(
    name: "Sven Åkerman", phone: "+46705551012", note: "Hunts alone; no signal in the hut.",
    checkedIn: .hours(21))
  private static let henrik = Neighbour(
    name: "Henrik Sand", phone: "+46705551013", checkedIn: .hours(7))
  private static let pedro = Neighbour(
    name: "Pedro Álvarez", phone: "+34612345678", note: "Sails to Madeira.", checkedIn: .hours(30))
  /// She is also one of the user's responders.
  static let liv = Neighbour(
    name: "Liv Solberg", phone: "+4798765432", note: "Trail runner.", checkedIn: .hours(5))
  private static let dependents = [tove, ulrik, maja, asa, sven, henrik, pedro, liv]

  /// One for each answer to a request.
  private static let noor = Neighbour(
    name: "Noor Haddad", phone: "+46705551014", checkedIn: .hours(1))
  private static let tomasz = Neighbour(
    name: "Tomasz Nowak", phone: "+48501234567", checkedIn: .hours(4))
  private static let greta = Neighbour(
    name: "Greta Falk", phone: "+46705551016", checkedIn: .hours(2))

  /// All neighbours, by name.
  static let everybody = (dependents + [noor, tomasz, greta]).sorted { $0.name < $1.name }

  func neighbours() -> [Event] {
    Self.everybody.flatMap(life) + requests + alertsOfOthers + pings
  }

  private func life(of neighbour: Neighbour) -> [Event] {
    [
      Event(date: now - .days(30)) { [platform] in
        _ = try await platform.openFurtherAccount(
          NewAccount(
            profile: Profile(
              name: neighbour.name, phone: neighbour.phone, note: neighbour.note,
              email: neighbour.email, address: neighbour.address, access: neighbour.access)))
      },
      Event(date: now - neighbour.checkedIn) { [platform] in
        _ = try await platform.clients(of: neighbour.email).checkInClient.checkIn(.manual)
      },
    ]
  }

  // MARK: Requests

  private var requests: [Event] {
    var events = Self.dependents.map { neighbour in
      let isLiv = neighbour.email == Self.liv.email
      return Event(date: now - .days(isLiv ? 20 : 12)) { [ida, platform] in
        let code = try await ida.userClient.currentUser().code
        let request = try await platform.clients(of: neighbour.email).contactsClient
          .request(code, isLiv ? [.responder, .dependent] : .responder)
        _ = try await ida.contactsClient.accept(request.id)
      }
    }
    events.append(
      Event(date: now - .hours(2)) { [ida, platform] in
        let code = try await ida.userClient.currentUser().code
        _ = try await platform.clients(of: Self.noor.email).contactsClient
          .request(code, .responder)
      })
    for neighbour in [Self.tomasz, Self.greta] {
      events.append(
        Event(date: now - .days(5)) { [ida, platform] in
          let other = platform.clients(of: neighbour.email)
          let code = try await other.userClient.currentUser().code
          let request = try await ida.contactsClient.request(code, .responder)
          if neighbour.email == Self.greta.email {
            try await other.contactsClient.decline(request.id)
          }
        })
    }
    return events
  }

  // MARK: Alerts and pings

  private var alertsOfOthers: [Event] {
    [
      Event(date: now - .minutes(5)) { [platform] in
        _ = try await platform.clients(of: Self.tove.email).alertClient
          .raise("Fell on the stairs, cannot get up.")
      },
      Event(date: now - .minutes(52)) { [platform] in
        let ulrik = platform.clients(of: Self.ulrik.email)
        _ = try await ulrik.contactsClient.add(
          ContactDraft(name: "Karin Dahl", email: "karin@example.no", roles: .responder))
        _ = try await ulrik.alertClient.raise("Lost the trail, phone almost empty.")
      },
      Event(date: now - .minutes(41)) { [platform] in
        let sent = try await deliver(for: platform.clients(of: Self.ulrik.email))
        for call in sent where call.address == "karin@example.no" && call.stage == .alertOn {
          if let code = call.code { _ = try await ida.responseClient.respondByLink(code.value) }
        }
      },
      Event(date: now - .minutes(105)) { [platform] in
        try await deliver(for: platform.clients(of: Self.maja.email))
      },
      // Two who promise something else than an interval.
      Event(date: now - .hours(2)) { [platform] in
        _ = try await platform.clients(of: Self.liv.email).checkInClient.startOuting(
          OutingDraft(
            end: "5h", zone: "UTC", text: "Besseggen from Gjendesheim and back, yellow jacket."))
      },
      Event(date: now - .minutes(400)) { [now, platform] in
        let minute = Int(bounded: (now + .hours(5)).timeIntervalSince1970 / 60) % 1_440
        let times = try SetTimes(
          [.init(minute: minute, days: .daily)], zone: "UTC", opening: .hours(6))
        _ = try await platform.clients(of: Self.henrik.email).checkInClient.updateSchedule(times)
      },
      Event(date: now - .hours(29)) { [now, platform] in
        _ = try await platform.clients(of: Self.pedro.email).checkInClient
          .pause(now + .days(3))
      },
    ]
  }

  private var pings: [Event] {
    [
      Event(date: now - .minutes(12)) { [ida] in
        let sven = try await ida.contactsClient.contacts().first { $0.phone == Self.sven.phone }
        if let sven { _ = try await ida.pingClient.send(sven.id) }
      },
      Event(date: now - .minutes(20)) { [platform] in
        let liv = platform.clients(of: Self.liv.email)
        for contact in try await liv.contactsClient.contacts() {
          _ = try await liv.pingClient.send(contact.id)
        }
      },
    ]
  }
}

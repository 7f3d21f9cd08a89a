import Domain
import FoundationEssentials

/// Contacts with accounts, one for each status.
extension Sample {
  static let code = AccountCode(UUID(uuidString: "6F1C2D80-0000-4000-8000-00000000BEEF")!)

  /// A square the size of a link's QR code.
  static let modules = (0..<29).map { row in (0..<29).map { column in (row * column) % 3 == 0 } }

  /// - Parameter hours: The hours since the last check-in.
  static func linked(
    _ number: UInt8, _ name: String, roles: Roles = .dependent,
    state: AccountLink.State = .active, checkedIn hours: Int? = nil, alert: Alert? = nil
  ) -> Contact {
    Contact(
      id: id(number), name: name, phone: state == .active ? "+442071838750" : nil,
      note: hours == nil ? "" : "Penicillin allergy.", roles: roles, addedAt: now - .days(9),
      link: AccountLink(
        user: id(number + 100), state: state,
        dependentStatus: hours.map {
          DependentStatus(
            interval: .standard, lastCheckIn: now - .hours($0), grace: .minutes(15), alert: alert)
        }))
  }

  /// A dependent with an active alert that Grace is responding to.
  static let charles = linked(
    60, "Charles Babbage", checkedIn: 3,
    alert: Alert(
      id: id(61), kind: .manual, message: "fell on the stairs", raisedAt: now - .minutes(5),
      acknowledgements: [
        Acknowledgement(responder: id(99), name: "Grace Hopper", date: now - .minutes(2))
      ]))
  /// The same dependent, with the person responding.
  static let attended: Contact = {
    var contact = charles
    contact.link?.dependentStatus?.alert?.acknowledgements = [
      Acknowledgement(responder: charles.id, name: "Ada Lovelace", date: now - .minutes(2))
    ]
    return contact
  }()
  static let nonResponsive = linked(62, "Emmy Noether", checkedIn: 26)
  static let pinged: Contact = {
    var contact = linked(63, "Mary Somerville", checkedIn: 4)
    contact.link?.sentPing = Ping(id: id(64), sentAt: now - .minutes(10))
    return contact
  }()
  static let mary = linked(65, "Mary Ward", roles: [.responder, .dependent], checkedIn: 1)
  static let dueSoon = linked(66, "Zoë van Dijk", checkedIn: 23)
  static let katherine = linked(67, "Katherine Johnson", state: .offered)
  static let dorothy = linked(68, "Dorothy Vaughan", roles: .responder, state: .requested)
  /// A responder who asks the person to check in.
  static let hedy: Contact = {
    var contact = linked(69, "Hedy Lamarr", roles: .responder)
    contact.link?.receivedPing = Ping(id: id(70), sentAt: now - .minutes(3))
    return contact
  }()

  /// All relations by name, as the store returns them.
  static let relations = [
    charles, dorothy, nonResponsive, hedy, katherine, pinged, mary, dueSoon,
  ].sorted { $0.name < $1.name }
}

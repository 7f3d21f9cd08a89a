import Domain
import FoundationEssentials
import Testing

/// The summary of the contacts on the first screen.
struct ContactOverviewTests {
  private func contact(
    _ number: UInt8, _ name: String, _ roles: Roles, _ kinds: [Channel.Kind] = [],
    link: AccountLink.State? = nil
  ) -> Contact {
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    return Contact(
      id: id, name: name, roles: roles,
      channels: kinds.map { Channel(id: id, kind: $0, address: name) }, addedAt: .distantPast,
      link: link.map { AccountLink(user: id, state: $0) })
  }

  @Test(
    "CON-2: contacts who declined or haven't accepted, and dependents, don't count as responders")
  func responders() {
    var declined = contact(1, "Bo", .responder, [.webhook])
    declined.declinedAt = .distantPast
    let cem = contact(2, "Cem", [.responder, .dependent], [.email, .ntfy])
    let dag = contact(3, "Dag", .dependent, [.desktop])
    let eva = contact(4, "Eva", .responder, link: .active)
    let fay = contact(5, "Fay", .responder, link: .offered)
    let overview = ContactOverview([declined, cem, dag, eva, fay], naming: 5)
    #expect(overview.responderCount == 2)
    #expect(overview.firstResponders == [cem, eva])
    #expect(overview.channelKinds == [.email, .ntfy])
    #expect(overview.linked == [eva, fay])
  }

  @Test(
    "The overview names as many responders as asked for, and counts all of them", arguments: 0...4)
  func limit(_ limit: Int) {
    let contacts = (1...3).map { contact($0, "Bo \($0)", .responder, [.email]) }
    let overview = ContactOverview(contacts, naming: limit)
    #expect(overview.firstResponders == Array(contacts.prefix(limit)))
    #expect(overview.responderCount == 3 && overview.linked == [])
  }

  @Test(
    "ORD-3: names that are equal in a language are listed in the order of the store",
    arguments: [NameOrder.plain, NameOrder(locale: "sv_SE"), NameOrder(locale: "de_DE")])
  func listed(_ order: NameOrder) {
    let names = ["bo", "Bo", "Bö", "Bo", "bo", "åsa", "Zoë", "asa"]
    let contacts = names.enumerated().map { contact(UInt8($0), $1, .responder) }
    let expected = order.sorted(contacts.byName, by: \.name).map(\.id)
    #expect(order.listed(contacts, by: \.name).map(\.id) == expected)
    #expect(order.listed(Array(contacts.reversed()), by: \.name).map(\.id) == expected)
  }
}

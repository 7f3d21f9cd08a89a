import Clients
import Domain
import FoundationEssentials

extension Store {
  /// Returns the contacts as the first screen shows them. Of those without accounts, only the names
  /// of the responders are read, and in full the few that are shown.
  func contactOverview(
    naming limit: Int, _ order: NameOrder
  ) throws(ClientError) -> ContactOverview {
    try read { key in
      let linked = order.listed(try linkedContacts(of: key), by: \.name)
      var first = FirstNames(order: order, limit: limit)
      var count = 0
      for contact in linked where contact.isResponder {
        count += 1
        first.offer(contact.name) { contact.id }
      }
      try database.visit(
        """
        SELECT name, id FROM contact WHERE account = ?1 AND roles & ?2 <> 0 AND declined_at IS NULL
        """, key, Roles.responder.rawValue
      ) { row throws(StorageError) in
        count += 1
        try first.offer(try row.read()) { () throws(StorageError) in try row.read() }
        return true
      }
      var kinds = try responderKinds(of: key)
      for contact in linked where contact.isResponder {
        kinds.formUnion(contact.link?.channelKinds ?? [])
      }
      return ContactOverview(
        responderCount: count,
        firstResponders: try first.ids.map { id in
          try linked.first { $0.id == id } ?? contact(id, of: key)
        },
        channelKinds: kinds, linked: linked)
    }
  }

  private func responderKinds(of account: Int) throws(StorageError) -> Set<Channel.Kind> {
    var kinds: Set<Channel.Kind> = []
    for kind in Channel.Kind.allCases {
      let found = try database.value(
        Int.self,
        """
        SELECT 1 FROM channel JOIN contact ON contact.key = channel.contact
        WHERE channel.account = ?1 AND channel.kind = ?2 AND roles & ?3 <> 0 AND declined_at IS NULL
        LIMIT 1
        """, account, kind, Roles.responder.rawValue)
      if found != nil { kinds.insert(kind) }
    }
    return kinds
  }
}

/// The first of many names in an order, found without sorting all of them.
private struct FirstNames {
  private struct Name: Identifiable {
    var id: Contact.ID
    var name: String
    var key: [UInt8]
  }

  let order: NameOrder
  let limit: Int
  private var first: [Name] = []

  init(order: NameOrder, limit: Int) {
    self.order = order
    self.limit = limit
  }

  var ids: [Contact.ID] { first.map(\.id) }

  /// Takes a name if it is among the first so far.
  /// - Parameter id: The contact's identifier; called only if the name is taken.
  mutating func offer<Failure: Error>(
    _ name: String, id: () throws(Failure) -> Contact.ID
  ) throws(Failure) {
    let key = order.key(of: name)
    if first.count >= limit {
      guard let last = first.last, !last.key.lexicographicallyPrecedes(key) else { return }
    }
    let new = Name(id: try id(), name: name, key: key)
    let place = first.firstIndex { other in
      guard key == other.key else { return key.lexicographicallyPrecedes(other.key) }
      return order.listed([other, new], by: \.name)[0].id == new.id
    }
    first.insert(new, at: place ?? first.endIndex)
    if first.count > limit { first.removeLast() }
  }
}

import Clients
import Domain
import FoundationEssentials

extension SQLiteStore {
  /// What the first screen says of the contacts. Of those without accounts only the names of the
  /// responders are read, and the few that are to be named whole.
  func contactOverview(
    naming limit: Int, _ order: NameOrder
  ) throws(ContactsError) -> ContactOverview {
    try read(ContactsError.self) {
      let key = try requireCurrentKey()
      let linked = order.listed(try linkedContacts(of: key), by: \.name)
      var responders = try responderNames(of: key)
      responders += linked.lazy.filter(\.isResponder).map {
        NamedResponder(id: $0.id, name: $0.name, linked: $0)
      }
      let named = order.listed(responders, by: \.name).prefix(limit)
      return ContactOverview(
        responderCount: responders.count,
        firstResponders: try named.map { try $0.linked ?? contact($0.id, of: key) },
        channelKinds: try responderKinds(of: key), linked: linked)
    }
  }

  private struct NamedResponder: Identifiable {
    var id: Contact.ID
    var name: String
    /// The contact, where they have an account.
    @Boxed var linked: Contact?
  }

  private func responderNames(of account: Int) throws(StorageError) -> [NamedResponder] {
    try database.rows(
      """
      SELECT id, name FROM contact WHERE account = ?1 AND roles & ?2 AND declined_at IS NULL
      """, account, Roles.responder.rawValue
    ) { row throws(StorageError) in
      NamedResponder(id: try row.read(), name: try row.read(), linked: nil)
    }
  }

  private func responderKinds(of account: Int) throws(StorageError) -> Set<Channel.Kind> {
    var kinds: Set<Channel.Kind> = []
    for kind in Channel.Kind.allCases {
      let found = try database.value(
        Int.self,
        """
        SELECT 1 FROM channel JOIN contact ON contact.key = channel.contact
        WHERE channel.account = ?1 AND channel.kind = ?2 AND roles & ?3 AND declined_at IS NULL
        LIMIT 1
        """, account, kind, Roles.responder.rawValue)
      if found != nil { kinds.insert(kind) }
    }
    return kinds
  }
}

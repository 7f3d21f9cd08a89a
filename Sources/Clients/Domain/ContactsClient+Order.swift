public import Composable
public import Domain

extension ContactsClient {
  /// Returns the client with its contacts sorted by name in an order (ORD-3). Lists of them keep it
  /// unless they are sorted by something else.
  func sorted(by order: NameOrder) -> Self {
    var client = self
    client.order = order
    client.contacts = { [contacts] () async throws(ClientError) in
      order.sorted(try await contacts(), by: \.name)
    }
    client.observe = { [observe] in observe().newest { order.sorted($0, by: \.name) } }
    return client
  }
}

extension DependencyValues {
  /// Lists names in an order, in the app and the commands alike. Called by the composition root
  /// once the platform's clients are set.
  public mutating func listNames(by order: NameOrder) {
    // Every platform returns them in the plain order already.
    guard order.isOfLanguage else { return }
    contactsClient = contactsClient.sorted(by: order)
  }
}

public import Composable
public import Domain

extension ContactsClient {
  /// The same client with contacts by name in an order (ORD-3). Every list of them keeps it where
  /// nothing else decides.
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
  /// Lists names in an order, for the app and the commands alike. For the composition root, once the
  /// platform's clients are there.
  public mutating func listNames(by order: NameOrder) {
    // Every platform has them in the plain order already.
    guard order.isOfLanguage else { return }
    contactsClient = contactsClient.sorted(by: order)
  }
}

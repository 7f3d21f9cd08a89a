import Domain

extension ContactListFeature.State {
  /// Shows the sheet of a contact's channels over their details.
  mutating func showChannels(of contact: Contact) {
    var details = ContactDetailsFeature.State(contact: contact, snapshot: snapshot)
    details.destination = .channels(ChannelsFeature.State(of: contact.id, snapshot: snapshot))
    destination = .details(details)
  }
}

extension ContactListFeature.Destination.State {
  /// Whether saving the form opens the channels sheet.
  var leadsToChannels: Bool {
    if case .form(let form) = self { form.leadsToChannels } else { false }
  }
}

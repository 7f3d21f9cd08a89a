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
  /// Whether a form is to be followed by the sheet of channels.
  var leadsToChannels: Bool {
    if case .form(let form) = self { form.leadsToChannels } else { false }
  }
}

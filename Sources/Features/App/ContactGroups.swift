import Domain

/// What the screens ask of the contacts in every frame, found out when the contacts change: a person
/// may have thousands.
struct ContactGroups: Equatable, Sendable {
  /// How many are told.
  let responderCount: Int
  /// Those who have accounts: nothing changes about the others by itself.
  let linked: [Contact]

  init(_ contacts: [Contact]) {
    responderCount = contacts.count(where: \.isResponder)
    linked = contacts.filter(\.isLinked)
  }
}

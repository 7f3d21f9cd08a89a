import Composable

@testable import Features

// Accessors for the sheets of a destination, for tests.

extension ProfileFeature.State {
  typealias Destination = ProfileFeature.Destination

  var edit: EditProfileFeature.State? {
    get { destination[Destination.edit] }
    set { destination[Destination.edit] = newValue }
  }
  var interval: IntervalFeature.State? {
    get { destination[Destination.interval] }
    set { destination[Destination.interval] = newValue }
  }
  var code: CodeFeature.State? {
    get { destination[Destination.code] }
    set { destination[Destination.code] = newValue }
  }
  var escalation: EscalationFeature.State? {
    get { destination[Destination.escalation] }
    set { destination[Destination.escalation] = newValue }
  }
  var settings: SettingsFeature.State? {
    get { destination[Destination.settings] }
    set { destination[Destination.settings] = newValue }
  }
  var security: SecurityFeature.State? {
    get { destination[Destination.security] }
    set { destination[Destination.security] = newValue }
  }
  var errorLog: ErrorLogFeature.State? {
    get { destination[Destination.errorLog] }
    set { destination[Destination.errorLog] = newValue }
  }
  var documents: DocumentsFeature.State? {
    get { destination[Destination.documents] }
    set { destination[Destination.documents] = newValue }
  }
  var picture: PictureFeature.State? {
    get { destination[Destination.picture] }
    set { destination[Destination.picture] = newValue }
  }
  var channels: ChannelsFeature.State? {
    get { destination[Destination.channels] }
    set { destination[Destination.channels] = newValue }
  }
}

extension CheckInFeature.State {
  typealias Destination = CheckInFeature.Destination

  var interval: IntervalFeature.State? {
    get { destination[Destination.interval] }
    set { destination[Destination.interval] = newValue }
  }
  var pause: PauseFeature.State? {
    get { destination[Destination.pause] }
    set { destination[Destination.pause] = newValue }
  }
  var history: HistoryFeature.State? {
    get { destination[Destination.history] }
    set { destination[Destination.history] = newValue }
  }
  var standby: StandbyFeature.State? {
    get { destination[Destination.standby] }
    set { destination[Destination.standby] = newValue }
  }
}

extension ContactDetailsFeature.State {
  typealias Destination = ContactDetailsFeature.Destination

  var roles: RolesFeature.State? {
    get { destination[Destination.roles] }
    set { destination[Destination.roles] = newValue }
  }
  var documents: SharedDocumentsFeature.State? {
    get { destination[Destination.documents] }
    set { destination[Destination.documents] = newValue }
  }
  var channels: ChannelsFeature.State? {
    get { destination[Destination.channels] }
    set { destination[Destination.channels] = newValue }
  }
  var declining: DecliningFeature.State? {
    get { destination[Destination.declining] }
    set { destination[Destination.declining] = newValue }
  }
}

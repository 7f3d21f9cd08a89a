/// A contact as it was typed and checked, before the store gives it an identity.
public struct ContactDraft: Equatable, Codable, Sendable {
  public var name: String
  public var phone: String?
  public var note: String
  /// The channels to reach them, each address once.
  public var channels: [ChannelDraft]
  public var roles: Roles

  /// - Parameters:
  ///   - email: The address of a first channel, or `nil` for none.
  ///   - channels: The channels after it.
  public init(
    name: String, phone: String? = nil, note: String = "", email: String? = nil,
    channels: [ChannelDraft] = [], roles: Roles
  ) {
    self.name = name
    self.phone = phone
    self.note = note
    self.channels = (email.map { [ChannelDraft(.email, $0)] } ?? []) + channels
    self.roles = roles
  }

  /// Creates a draft from an existing contact, for editing it.
  public init(_ contact: Contact) {
    self.init(
      name: contact.name, phone: contact.phone, note: contact.note,
      channels: contact.channels.map { ChannelDraft($0.kind, $0.address) }, roles: contact.roles)
  }

  /// Creates a draft from what was typed. An address given twice is kept once.
  ///
  /// A responder needs a channel, since nothing else could notify them.
  /// - Parameter email: The address of a first channel; empty for none.
  /// - Throws: The first ``ValidationError``, in the order name, channels, phone, note, roles.
  public init(
    validating name: String, email: String = "", channels: [ChannelDraft] = [],
    phone: String = "", note: String = "", roles: Roles
  ) throws(ValidationError) {
    self.name = try ProfileRules.name(name)
    let typed = email.trimmingWhitespace().isEmpty ? [] : [ChannelDraft(.email, email)]
    self.channels = []
    for channel in typed + channels {
      let channel = try channel.checked()
      if !self.channels.contains(where: channel.hasSameAddress) { self.channels.append(channel) }
    }
    if roles.contains(.responder), self.channels.isEmpty { throw .channelRequired }
    self.phone = try ProfileRules.phone(phone)
    self.note = try ProfileRules.note(note)
    guard !roles.isEmpty else { throw .roleRequired }
    self.roles = roles
  }

  /// Reads `Name <address>`, the form of the command line's `--responder`: an address as
  /// ``ChannelDraft/init(parsing:)`` reads it, or several with a comma and a space between them.
  public init(parsingResponder text: String) throws(ValidationError) {
    let trimmed = text.trimmingWhitespace()
    guard trimmed.hasSuffix(">"), let open = trimmed.lastIndex(of: "<") else {
      throw .responderForm
    }
    let addresses = trimmed[trimmed.index(after: open)...].dropLast().split(separator: ", ")
    var channels: [ChannelDraft] = []
    for address in addresses { channels.append(try ChannelDraft(parsing: String(address))) }
    guard !channels.isEmpty else { throw .responderForm }
    try self.init(validating: String(trimmed[..<open]), channels: channels, roles: .responder)
  }

  /// Returns the draft as it is stored; the store repeats this check before it saves.
  public func checked() throws(ValidationError) -> ContactDraft {
    try ContactDraft(
      validating: name, channels: channels, phone: phone ?? "", note: note, roles: roles)
  }

  /// The address of the first e-mail channel. Setting it changes or adds that channel; `nil`
  /// removes it.
  public var email: String? {
    get { channels.first { $0.kind == .email }?.address }
    set {
      let index = channels.firstIndex { $0.kind == .email }
      switch (index, newValue) {
      case (let index?, let address?): channels[index].address = address
      case (let index?, nil): channels.remove(at: index)
      case (nil, let address?): channels.insert(ChannelDraft(.email, address), at: 0)
      case (nil, nil): break
      }
    }
  }
}

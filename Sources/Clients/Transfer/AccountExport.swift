public import Domain
public import FoundationEssentials

/// Everything in an account except its secrets and silent alerts, as the content of one file.
///
/// Writing what was read gives the same bytes: members and lists have a fixed order, and times are
/// whole milliseconds.
public struct AccountExport: Equatable, Sendable {
  /// The account without locks: passwords and passphrases are not exported.
  public var user: User
  /// The person's own channels in addition to the account's address, without their secrets.
  public var channels: [Channel]
  /// The topics switched off on the person's own channels (CHN-3).
  public var mutedTopics: MutedTopics
  /// Outside contacts, by name; their channels have no secrets.
  public var contacts: [Contact]
  /// Check-ins, oldest first.
  public var checkIns: [CheckIn]
  /// Alerts, oldest first.
  public var alerts: [Alert]
  /// Notifications, oldest first.
  public var notifications: [NotificationItem]
  /// Stored documents, by path.
  public var documents: [StoredDocument]
  /// Emergency documents by name, without their contents, which could be hundreds of megabytes.
  public var files: [EmergencyDocument]

  /// A stored document, with its path and its JSON as text.
  public struct StoredDocument: Equatable, Codable, Sendable {
    public var collection: String
    public var id: String
    public var json: String

    public init(collection: String, id: String, json: String) {
      self.collection = collection
      self.id = id
      self.json = json
    }
  }

  public init(
    user: User, channels: [Channel] = [], mutedTopics: MutedTopics = MutedTopics(),
    contacts: [Contact], checkIns: [CheckIn], alerts: [Alert],
    notifications: [NotificationItem], documents: [StoredDocument],
    files: [EmergencyDocument] = []
  ) {
    self.user = user
    self.user.locks = []
    self.user.picture = nil
    // The importing store judges by its own clock whether the deadline was watched.
    self.user.graceFrom = nil
    self.channels = channels
    self.mutedTopics = mutedTopics
    self.contacts = contacts
    self.checkIns = checkIns
    self.alerts = alerts
    self.notifications = notifications
    self.documents = documents
    self.files = files
  }

  /// The sequences that an import accepts. Reaching the end takes decades of checking in every
  /// second, and the sequence can still grow after that.
  private static let sequences = 0...1_000_000_000
  static let format = "lifesignal-export"
  /// The newest version. Version 1 has no channels of the person's own; only version 3 has set times
  /// and outings, and is written only if there are some, so that older programs read the others
  /// (SCH-3).
  static let version = 3

  /// Whether older programs would read something else into it.
  fileprivate var needsNewestVersion: Bool {
    user.schedule != nil || user.outing != nil || alerts.contains { $0.kind == .outing }
      || checkIns.contains { $0.source == .outing }
  }

  /// The note in a file that lists emergency documents.
  static let filesNote =
    "This file doesn't contain these emergency documents or your picture. Keep the files themselves, and add them again after an import."
  /// The most bytes of a file, enough for far more than decades of check-ins. A larger file is
  /// refused before it is read.
  public static let sizeLimit = 64 << 20
}

// MARK: File format

/// Encoded as the text of its file, so that decoding checks it like one.
extension AccountExport: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(decoding: Data(text.utf8))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: encoded(), as: UTF8.self))
  }
}

extension AccountExport {
  /// Returns the file's bytes, with a line break at the end.
  public func encoded() throws(ClientError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.exportText)
    }
    do { return try encoder.encode(Envelope(self)) + Data("\n".utf8) } catch {
      throw .exportInvalid("it cannot be written: \(error)")
    }
  }

  /// Reads and checks a file's bytes.
  public init(decoding data: Data) throws(ClientError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let date = Date(exportText: text) else { throw ClientError.exportInvalid("a time") }
      return date
    }
    guard let header = try? decoder.decode(Header.self, from: data),
      header.format == Self.format
    else { throw .notAnExport }
    guard (1...Self.version).contains(header.version) else { throw .exportVersion(header.version) }
    let envelope: Envelope
    do { envelope = try decoder.decode(Envelope.self, from: data) } catch {
      throw .exportInvalid(error.place)
    }
    self = try envelope.export.checked()
  }

  private struct Header: Decodable {
    var format: String
    var version: Int
  }

  private struct Envelope: Codable {
    var format: String
    var version: Int
    var account: User
    var channels: [Channel]?
    /// Missing if nothing is muted.
    var mutedTopics: MutedTopics?
    var contacts: [Contact]
    var checkIns: [CheckIn]
    var alerts: [Alert]
    var notifications: [NotificationItem]
    var documents: [StoredDocument]
    /// Missing if there are none.
    var files: [EmergencyDocument]?
    var filesNote: String?

    init(_ export: AccountExport) {
      format = AccountExport.format
      version = export.needsNewestVersion ? AccountExport.version : 2
      account = export.user
      channels = export.channels
      mutedTopics = export.mutedTopics.isEmpty ? nil : export.mutedTopics
      contacts = export.contacts
      checkIns = export.checkIns
      alerts = export.alerts
      notifications = export.notifications
      documents = export.documents
      guard !export.files.isEmpty else { return }
      files = export.files
      filesNote = AccountExport.filesNote
    }

    var export: AccountExport {
      AccountExport(
        user: account, channels: channels ?? [], mutedTopics: mutedTopics ?? MutedTopics(),
        contacts: contacts, checkIns: checkIns, alerts: alerts, notifications: notifications,
        documents: documents, files: files ?? [])
    }
  }
}

// MARK: Rules

extension AccountExport {
  /// Returns the export as it can be imported now: nothing in it is in the future, and its pause is
  /// no longer than one that could start now. Neither a wrong clock nor an edited file must keep a
  /// deadline from passing.
  public func checked(at now: Date) throws(ClientError) -> AccountExport {
    var export = try checked()
    export.user.createdAt = min(export.user.createdAt, now)
    export.user.lastCheckIn = min(export.user.lastCheckIn, now)
    export.user.pausedAt = export.user.pausedAt.map { min($0, now) }
    export.user.pausedUntil = export.user.pausedUntil.map {
      min($0, (export.user.pausedAt ?? now) + Pause.longest)
    }
    if var schedule = export.user.schedule {
      schedule.since = min(schedule.since, now)
      schedule.moveOn(
        lastCheckIn: export.user.lastCheckIn, pausedUntil: export.user.pausedUntil)
      export.user.schedule = schedule
    }
    for index in export.checkIns.indices {
      export.checkIns[index].date = min(export.checkIns[index].date, now)
    }
    for index in export.alerts.indices {
      // An import never starts or restores an outing, nor ends one (OUT-4).
      if export.alerts[index].kind == .outing, export.alerts[index].isActive {
        export.alerts[index].resolvedAt = now
      }
      export.alerts[index].raisedAt = min(export.alerts[index].raisedAt, now)
      export.alerts[index].resolvedAt = export.alerts[index].resolvedAt.map { min($0, now) }
      for given in export.alerts[index].acknowledgements.indices {
        let date = export.alerts[index].acknowledgements[given].date
        export.alerts[index].acknowledgements[given].date = min(date, now)
      }
    }
    for index in export.notifications.indices {
      export.notifications[index].date = min(export.notifications[index].date, now)
    }
    return export
  }

  /// The export with all notifications read: what was said long ago isn't news where it is imported.
  public var withEverythingRead: AccountExport {
    var export = self
    for index in export.notifications.indices { export.notifications[index].isRead = true }
    return export
  }

  /// Returns the export after checking it by the rules for typed input: a file can come from
  /// anywhere.
  private func checked() throws(ClientError) -> AccountExport {
    var export = self
    export.user = try checkedUser()
    export.contacts = try unique(contacts, "contacts") { contact throws(ValidationError) in
      var contact = contact
      contact.channels = try contact.channels.map { channel throws(ValidationError) in
        try channel.checked()
      }
      contact.roles.formIntersection([.responder, .dependent])
      contact.phone = try ProfileRules.storedPhone(contact.phone)
      var draft = ContactDraft(contact)
      draft.phone = nil
      draft = try draft.checked()
      (contact.name, contact.note) = (draft.name, draft.note)
      contact.link = nil
      if let wait = contact.wait {
        contact.wait = ResponderWait(
          span: try ResponderWait.checked(wait.span),
          earlier: try ResponderWait.checked(wait.earlier), changedAt: wait.changedAt)
      }
      return contact
    }
    export.channels = try unique(channels, "channels") { channel throws(ValidationError) in
      try channel.checked()
    }
    for channels in [export.channels, export.contacts.flatMap(\.channels)] {
      let places = channels.map { "\($0.kind) \($0.address.lowercased())" }
      guard Set(places).count == places.count else {
        throw .exportInvalid("contacts share an address")
      }
    }
    let identities = (channels + contacts.flatMap(\.channels)).map(\.id)
    guard Set(identities).count == identities.count else {
      throw .exportInvalid("channels have the same identity")
    }
    let own = Set([user.id] + channels.map(\.id))
    guard own.isSuperset(of: mutedTopics.channels) else {
      throw .exportInvalid("topics of a channel that doesn't exist")
    }
    _ = try unique(checkIns, "check-ins") { checkIn throws(ValidationError) in checkIn }
    let sequences = checkIns.map(\.sequence)
    guard zip(sequences, sequences.dropFirst()).allSatisfy(<),
      sequences.allSatisfy(Self.sequences.contains)
    else { throw .exportInvalid("check-ins are out of order") }
    export.alerts = try unique(alerts, "alerts") { alert throws(ValidationError) in
      var alert = alert
      alert.message = try ProfileRules.alertMessage(alert.message)
      for index in alert.acknowledgements.indices {
        let name = try ProfileRules.note(alert.acknowledgements[index].name)
        alert.acknowledgements[index].name = name
      }
      return alert
    }
    guard
      alerts.allSatisfy({ alert in
        alert.kind != .duress && (alert.kind == .missed) == (alert.sequence != nil)
          && (alert.kind == .outing) == (alert.dueBack != nil)
          && Self.sequences.contains(alert.sequence ?? 0)
          && alert.noticedLateBy.map { $0 >= .zero } ?? true
      }),
      alerts.count(where: { $0.kind == .manual && $0.isActive }) <= 1
    else { throw .exportInvalid("alerts contradict each other") }
    export.notifications = try unique(notifications, "notifications") {
      item throws(ValidationError) in
      var item = item
      item.subject = try ProfileRules.note(item.subject)
      item.detail = try ProfileRules.note(item.detail)
      return item
    }
    var paths: Set<DocumentPath> = []
    for document in documents {
      guard let path = try? document.path, paths.insert(path).inserted,
        (try? JSONObject(Data(document.json.utf8))) != nil
      else { throw .exportInvalid("a document") }
    }
    export.files = try unique(files, "files") { file throws(ValidationError) in
      var file = file
      file.name = FileName.cleaned(file.name)
      try DocumentRules.checkSize(file.size)
      return file
    }
    guard files.count <= DocumentRules.countLimit, files.allSatisfy({ $0.size >= 0 }) else {
      throw .exportInvalid("files")
    }
    return export
  }

  private func checkedUser() throws(ClientError) -> User {
    var user = user
    do throws(ValidationError) {
      let phone = try ProfileRules.storedPhone(user.profile.phone)
      user.profile.phone = nil
      user.profile = try user.profile.checked()
      user.profile.phone = phone
      user.reminders = try EscalationRules.reminders(
        user.reminders, interval: user.reminderLimit)
      user.grace = try EscalationRules.grace(user.grace)
      user.repeatInterval = try EscalationRules.repeatInterval(user.repeatInterval)
      if let outing = user.outing {
        user.outing?.text = try ProfileRules.alertMessage(outing.text)
        user.outing?.grace = try EscalationRules.grace(outing.grace)
        user.outing?.until = outing.until.inWholeSeconds
      }
    } catch {
      throw .exportInvalid(error.errorDescription)
    }
    guard Self.sequences.contains(user.checkInSequence), user.deletedAt == nil,
      (user.pausedAt == nil) == (user.pausedUntil == nil),
      user.schedule.map({ ZoneRules(posix: $0.rule) != nil }) ?? true
    else { throw .exportInvalid("the account") }
    return user
  }

  private func unique<Element: Identifiable>(
    _ elements: [Element], _ name: String,
    check: (Element) throws(ValidationError) -> Element
  ) throws(ClientError) -> [Element] {
    guard Set(elements.map(\.id)).count == elements.count else {
      throw .exportInvalid("\(name) have the same identity")
    }
    do throws(ValidationError) { return try elements.map(check) } catch {
      throw .exportInvalid("\(name): \(error.errorDescription)")
    }
  }
}

extension Channel {
  fileprivate func checked() throws(ValidationError) -> Channel {
    Channel(id: id, kind: kind, address: try kind.checkedAddress(address))
  }
}

extension AccountExport.StoredDocument {
  public var path: DocumentPath {
    get throws(StorageError) { try CollectionPath(collection).document(id) }
  }
}

extension Date {
  /// RFC 3339 in UTC with milliseconds: `2026-11-21T07:52:00.000Z`.
  fileprivate var exportText: String {
    let milliseconds = Int(bounded: (timeIntervalSince1970 * 1_000).rounded())
    let (seconds, rest) = (milliseconds / 1_000, milliseconds % 1_000)
    let text = Date(timeIntervalSince1970: Double(seconds)).rfc3339.dropLast()
    let digits = "\(rest)"
    return text + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  fileprivate init?(exportText text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 4, parts[1].hasSuffix("Z"),
      let milliseconds = Int(parts[1].dropLast()), milliseconds >= 0,
      let colon = parts[0].lastIndex(of: ":"),
      var time = CivilTime(parsing: String(parts[0][..<colon])),
      let second = Int(parts[0][parts[0].index(after: colon)...]), (0...59).contains(second)
    else { return nil }
    time.second = second
    guard time.year >= 1970, let date = CivilCalendar.utc.date(of: time) else { return nil }
    self = date.addingTimeInterval(Double(milliseconds) / 1_000)
  }
}

extension Error {
  /// The place in a file that is not as it should be, without its content.
  fileprivate var place: String {
    let path: [any CodingKey]
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context): path = context.codingPath + [key]
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      path = context.codingPath
    default: path = []
    }
    return path.isEmpty
      ? "its contents"
      : path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
        .joined(separator: ".")
  }
}

extension AccountExport {
  /// The export without what it contains.
  package var withoutContents: AccountExport {
    var export = self
    (export.contacts, export.channels, export.documents) = ([], [], [])
    (export.checkIns, export.alerts, export.notifications) = ([], [], [])
    return export
  }

  /// The export in parts, each of which is imported within a moment.
  package var steps: [AccountExport] {
    func parts<Element>(
      _ path: WritableKeyPath<AccountExport, [Element]>, of size: Int
    ) -> [AccountExport] {
      let all = self[keyPath: path]
      return stride(from: 0, to: all.count, by: size).map { start in
        var part = withoutContents
        part[keyPath: path] = Array(all[start..<min(start + size, all.count)])
        return part
      }
    }
    return parts(\.contacts, of: 20) + parts(\.channels, of: 20) + parts(\.documents, of: 50)
      + parts(\.checkIns, of: 500) + parts(\.alerts, of: 100) + parts(\.notifications, of: 500)
  }
}

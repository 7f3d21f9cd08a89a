import Domain
import FoundationEssentials

/// One account with all that belongs to it.
struct Account: Sendable {
  var user: User
  /// Whether it was opened first, and needs no session while it has no password.
  var isFirst = false
  var password: String?
  /// The address that signs in (AUTH-5).
  var signInEmail: String?
  var addressCode: AddressCode?
  /// Addresses that may be taken back, oldest first.
  var replacedAddresses: [AddressCode] = []
  /// When the password was last set by a code.
  var resetAt: Date?
  /// What was asked for since then, with the code that takes it back.
  var waiting: [GatedOperation: (code: String, askedAt: Date)] = [:]
  var gate: Gate?
  /// The responders' channels for the silent alerts that are on.
  var kept: [KeptChannel] = []
  /// What the gate seems to be since it was changed under duress.
  var seemingGate: SeemingGate?
  /// Grows with every write, so that a plan made from an older reading is refused.
  var revision = 1
  /// When the planner has to look at the account; `distantPast` after every write that can change
  /// what it decides, `nil` for never.
  var attentionAt: Date? = .distantPast
  var contacts: [Contact] = []
  /// The person's own besides the address of the account.
  var channels: [Channel] = []
  /// What they do not tell.
  var mutedTopics = MutedTopics()
  /// What signs webhooks and opens topics, of the person's own channels and of the contacts'.
  var secrets: [Channel.ID: Secret<String>] = [:]
  /// By what each contact who was told may decline (CON-3).
  /// Oldest first.
  var checkIns: [CheckIn] = []
  /// Oldest first.
  var alerts: [StoredAlert] = []
  /// The alert that was begun and is not raised yet (ALT-7).
  var armed: ArmedAlert?
  /// Those that were begun and stopped.
  var stopped: Set<Alert.ID> = []
  /// In the order in which they were planned.
  var deliveries: [StoredDelivery] = []
  var standby = Standby()
  var waitingMessage: WaitingMessage?
  /// Documents and the picture, in the order in which they were stored.
  var files: [StoredFile] = []
  /// By which responders acknowledge alerts, and contacts decline.
  var codes: [StoredCode] = []
  /// Oldest first.
  var notifications: [NotificationItem] = []
  /// What was said on screen about the deadline of a sequence.
  var notices: (sequence: Int, stages: Set<Stage>) = (0, [])

  /// Notes a write that can change what the planner decides.
  mutating func touch() {
    revision += 1
    attentionAt = .distantPast
  }
}

/// What a responder acknowledges an alert by; without an alert, what a contact declines by.
struct StoredCode: Equatable, Sendable {
  var code: String
  var alert: Alert.ID?
  var responder: Contact.ID
}

/// A gate that somebody under duress was shown as set, or as removed (CHK-3).
enum SeemingGate: Equatable, Sendable {
  case none
  case passphrase(Secret<String>)
}

struct StoredAlert: Sendable {
  var alert: Alert
  /// Nothing is left to do for it.
  var isSettled = false
}

struct StoredDelivery: Sendable {
  let id: UUID
  var planned: PlannedDelivery
  var plannedAt: Date
  var state = DeliveryState.pending
  /// Nobody may claim it earlier: the time of the next attempt, or the end of the lease.
  var notBefore: Date
  var attempts = 0
  /// Whether any attempt ended without a record, or with an ambiguous one.
  var isDoubtful = false
  /// Whether it only seemed to be sent when it was claimed last.
  var isUnsaid = false
  /// Whether the last claim has not been answered by a record yet.
  var isUnrecorded = false
  var token: UUID?
  var leasedUntil: Date?
  /// When it was sent, failed or was cancelled.
  var finishedAt: Date?
  var lastError: String?

  var record: DeliveryRecord {
    DeliveryRecord(
      id: id, occasion: planned.occasion, stage: planned.stage, recipient: planned.recipient,
      channel: planned.channel, address: planned.address, state: state, attempts: attempts,
      lastAttemptIsRecorded: !isUnrecorded && !isDoubtful, leasedUntil: leasedUntil,
      finishedAt: finishedAt)
  }

  var report: DeliveryReport {
    DeliveryReport(
      id: id, stage: planned.stage, recipientID: planned.recipient,
      recipient: planned.recipientName, channel: planned.channel, address: planned.address,
      state: state, date: finishedAt ?? notBefore, plannedAt: plannedAt, error: lastError)
  }
}

import Clients
import Domain
import FoundationEssentials

/// What this process last read of the accounts that it watches, for a store that can't be read any
/// more: people that the monitor knows are notified all the same.
struct KnownAccounts: Sendable {
  /// An account as it was last read, with what was sent since.
  struct Known: Sendable {
    var account: MonitoredAccount
    /// The secrets of its channels, by their kind and address.
    var secrets: [ChannelSecret.Place: ChannelSecret] = [:]
    fileprivate var readAt: Int
  }

  /// How many accounts are kept: a few megabytes.
  static let limit = 1_000

  private var known: [User.ID: Known] = [:]
  private var readings = 0
  /// The accounts whose secrets are to be read.
  private(set) var withoutSecrets: Set<User.ID> = []

  subscript(_ id: User.ID) -> Known? { known[id] }
  var ids: [User.ID] { Array(known.keys) }

  /// Notes an account that was just read.
  mutating func note(_ account: MonitoredAccount) {
    let id = account.user.id
    readings += 1
    if account.user.deletedAt != nil {
      known[id] = nil
      withoutSecrets.remove(id)
      return
    }
    known[id] = Known(account: account, secrets: known[id]?.secrets ?? [:], readAt: readings)
    withoutSecrets.insert(id)
    if known.count > Self.limit * 5 / 4 { forgetOldest() }
  }

  private mutating func forgetOldest() {
    // Who has an alert on is needed most.
    let order = known.sorted { one, other in
      let (oneIsOn, otherIsOn) = (one.value.isInAlert, other.value.isInAlert)
      return oneIsOn == otherIsOn ? one.value.readAt > other.value.readAt : oneIsOn
    }
    known = Dictionary(uniqueKeysWithValues: order.prefix(Self.limit).map { ($0.key, $0.value) })
    withoutSecrets.formIntersection(known.keys)
  }

  mutating func note(_ secrets: [ChannelSecret], of id: User.ID) {
    withoutSecrets.remove(id)
    known[id]?.secrets = Dictionary(secrets.map { ($0.place, $0) }) { $1 }
  }

  /// Notes what the store was given, which the account as it was read doesn't show.
  mutating func noteAdopted(_ memory: RememberedAccount, of id: User.ID) {
    guard let account = known[id]?.account else { return }
    var memory = memory
    memory.messages = memory.messages.filter { $0.value.isSent }
    known[id]?.account = account.remembering(memory, now: .distantPast, lease: .zero)
  }

  /// Notes a message that was sent and recorded.
  mutating func noteSent(_ message: ClaimedDelivery, at now: Date) {
    guard var account = known[message.user.id]?.account else { return }
    if let index = account.deliveries.firstIndex(where: { $0.id == message.id }) {
      account.deliveries[index].state = .sent
      account.deliveries[index].finishedAt = now
    } else if let alert = message.alert {
      account.deliveries.append(
        DeliveryRecord(
          id: message.id, occasion: .alert(alert.id), stage: message.stage,
          recipient: message.recipient, channel: message.channel, address: message.address,
          state: .sent, attempts: message.attempt, finishedAt: now))
    }
    known[message.user.id]?.account = account
  }

  /// Returns a message with what the store would have added to it.
  func equipped(_ message: ClaimedDelivery) -> ClaimedDelivery {
    var message = message
    guard let known = known[message.user.id] else { return message }
    message.secret = known.secrets[.init(kind: message.channel, address: message.address)]?.secret
    guard message.recipientName.isEmpty else { return message }
    let people = known.account.responders + known.account.respondersKeptUnderDuress
    message.recipientName =
      switch message.recipient {
      case .owner: message.user.profile.name
      case .contact(let id): people.first { $0.id == id }?.name ?? ""
      }
    return message
  }
}

extension KnownAccounts.Known {
  fileprivate var isInAlert: Bool { account.alerts.contains(where: \.isActive) }
}

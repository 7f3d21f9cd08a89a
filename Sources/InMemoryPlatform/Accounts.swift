import Domain
import FoundationEssentials

/// All accounts, and beside them when each wants to be looked at: monitors ask for that at every
/// turn, and a person has many messages that are long over.
struct Accounts: Sendable {
  /// When an account has something for a monitor to do, or `nil` for never.
  struct Agenda: Equatable, Sendable {
    /// When the planner has to look at it.
    var attentionAt: Date?
    /// When the first of its messages may be taken.
    var deliveryAt: Date?

    fileprivate init(_ account: Account) {
      attentionAt = account.attentionAt
      for delivery in account.deliveries where delivery.state == .pending {
        deliveryAt = min(delivery.notBefore, deliveryAt ?? delivery.notBefore)
      }
    }

    func needsAttention(at now: Date) -> Bool { attentionAt.map { $0 <= now } ?? false }

    /// Whether a message may be taken: those of accounts that need attention first are left.
    func isClaimable(at now: Date) -> Bool {
      guard let deliveryAt, deliveryAt <= now else { return false }
      return !needsAttention(at: now)
    }
  }

  private var contents: [User.ID: Account] = [:]
  private(set) var agendas: [User.ID: Agenda] = [:]

  subscript(id: User.ID) -> Account? {
    get { contents[id] }
    _modify {
      defer { agendas[id] = contents[id].map(Agenda.init) }
      yield &contents[id]
    }
  }

  var keys: Dictionary<User.ID, Account>.Keys { contents.keys }
  var values: Dictionary<User.ID, Account>.Values { contents.values }

  /// When somebody has something for a monitor to do, or `nil` for never.
  var nextWake: Date? {
    var wake: Date?
    for agenda in agendas.values {
      for date in [agenda.attentionAt, agenda.deliveryAt] {
        if let date, date < wake ?? .distantFuture { wake = date }
      }
    }
    return wake
  }
}

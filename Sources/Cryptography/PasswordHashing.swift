import CSodium

/// Hashing of passwords and passphrases with libsodium's Argon2id
/// (docs/decisions/0006-system-libraries.md).
///
/// A hash is one line of text that names its cost, so that hashes of an older setting can still be
/// verified.
public struct PasswordHashing: Sendable {
  /// The cost of the hashes that are made.
  private let cost: HashCost
  /// Who the hashes are for.
  private let place: HashingPlace

  /// 64 MiB and about a tenth of a second, which libsodium calls interactive
  /// (docs/decisions/0101-passphrases-of-many-at-once.md).
  public static let standard = PasswordHashing(.standard)

  /// The least that the algorithm allows, which takes microseconds: for tests, never for a person's
  /// password.
  public static let minimal = PasswordHashing(.minimal)

  /// The same hashing in another line (``HashingPlace``).
  public func waiting(at place: HashingPlace) -> PasswordHashing {
    PasswordHashing(cost, at: place)
  }

  /// The same hashing at the cost of a hash; unchanged for `nil` and for what isn't a hash.
  public func costing(as sample: String?) -> PasswordHashing {
    sample.flatMap(PasswordHash.init).map { PasswordHashing($0.recipe.cost, at: place) } ?? self
  }

  /// Hashes a password.
  /// - Parameter sample: A hash whose salt and cost are used, so that one computation compares a
  ///   password with both; `nil` for a new salt.
  public func hash(
    _ password: String, like sample: String? = nil
  ) async throws(Failure) -> String {
    let recipe = sample.flatMap(PasswordHash.init)?.recipe ?? HashRecipe(cost)
    return try await compute(password, recipe).text
  }

  /// Returns whether a hash was made from the password. It takes as long for a wrong password as
  /// for the right one, and as long without a hash, so that the time doesn't reveal whether there
  /// is an account.
  public func matches(_ password: String, _ hash: String?) async throws(Failure) -> Bool {
    let stored = hash.flatMap(PasswordHash.init)
    let computed = try await compute(password, stored?.recipe ?? HashRecipe(cost))
    return stored.map { computed.isEqual(to: $0) } ?? false
  }

  /// Returns whether the first hash was made from the password, and whether the second was. It takes
  /// as long without a second hash.
  ///
  /// Hashes with the same salt take one computation. Those of an older cost were made with salts of
  /// their own: for them two are made in any case.
  public func matches(
    _ password: String, _ first: String, or second: String?
  ) async throws(Failure) -> (first: Bool, second: Bool) {
    guard let stored = PasswordHash(first) else {
      _ = try await matches(password, nil)
      return (false, false)
    }
    let other = second.flatMap(PasswordHash.init)
    let computed = try await compute(password, stored.recipe)
    var computedOther = computed
    if !stored.recipe.cost.isOfToday || (other.map { $0.recipe != stored.recipe } ?? false) {
      computedOther = try await compute(password, (other ?? stored).recipe)
    }
    return (
      computed.isEqual(to: stored), other.map { computedOther.isEqual(to: $0) } ?? false
    )
  }

  /// Returns whether a text from elsewhere is a hash that costs no more to check than any that was
  /// made here.
  public static func isAffordable(_ hash: String) -> Bool { PasswordHash(hash) != nil }

  /// Returns whether hashes of this cost are no longer made.
  public static func isOutdated(_ hash: String) -> Bool {
    PasswordHash(hash).map { !$0.recipe.cost.isOfToday } ?? false
  }

  /// Why a password couldn't be hashed or compared. It is neither right nor wrong then.
  public enum Failure: Error {
    case outOfMemory
    /// Too many hashes for the same person or stranger wait, or the task was cancelled while its
    /// hash did.
    case notItsTurn
  }

  /// Computes a hash on a thread of its own: it takes a core for a moment, which the threads that
  /// all tasks share can't spare. Hashing that takes microseconds runs at once.
  private func compute(
    _ password: String, _ recipe: HashRecipe
  ) async throws(Failure) -> PasswordHash {
    precondition(Sodium.isReady)
    let compute = { @Sendable in PasswordHash(of: password, recipe) }
    let hash: PasswordHash??
    if recipe.cost.memory <= HashCost.minimal.memory {
      hash = .some(compute())
    } else {
      let isLarge = recipe.cost.memory > HashCost.standard.memory
      hash = await Self.queue.run(for: place, isLarge: isLarge, compute)
    }
    guard let hash else { throw .notItsTurn }
    guard let hash else { throw .outOfMemory }
    return hash
  }

  init(_ cost: HashCost, at place: HashingPlace = .person("")) {
    self.cost = cost
    self.place = place
  }

  private static let queue = HashingQueue(
    limit: HashingQueue.limit(memoryOfEach: HashCost.standard.memory))
}

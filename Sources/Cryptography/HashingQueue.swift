import Dispatch
import Glibc
import Synchronization

/// Who a hash is computed for. Each of them waits in a line of its own.
public enum HashingPlace: Hashable, Sendable {
  /// A person with a session, by their account.
  case person(String)
  /// Anyone: a person who signs in, or who holds a link.
  case stranger(String)

  fileprivate var isStranger: Bool { if case .stranger = self { true } else { false } }
}

/// Computes hashes, as many at a time as the machine bears, and in turn: many tries of one person
/// wait behind each other, and the next hash is somebody else's.
///
/// A place has one hash in progress at most, and strangers leave a core to those who have a
/// session, unless there is only one.
final class HashingQueue: Sendable {
  fileprivate struct Job: Sendable {
    let id: Int
    /// Runs the job, or gives it up.
    let run: @Sendable (_ isGivenUp: Bool) -> Void
    /// Whether it takes more memory than hashes made today.
    let isLarge: Bool
  }

  fileprivate struct Contents {
    var nextID = 0
    var lines: [HashingPlace: [Job]] = [:]
    /// The places with a line, in the order of their turns.
    var turns: [HashingPlace] = []
    var busy: Set<HashingPlace> = []
    var isLargeRunning = false

    var waiting: Int { lines.values.reduce(0) { $0 + $1.count } }
  }

  private let contents = Mutex(Contents())
  private let threads = DispatchQueue(label: "lifesignal.hashing", attributes: .concurrent)
  /// The largest number of hashes at a time.
  let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// Returns the number of hashes that this machine can compute at a time: one for each core, in at
  /// most a quarter of its memory.
  static func limit(memoryOfEach memory: Int) -> Int {
    let bytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), bytes / 4 / memory))
  }

  /// The largest number of hashes that wait in one line.
  static let longestLine = 8

  /// Runs the body when it is the turn of its place.
  /// - Returns: `nil` if the line is too long, or if the task was cancelled while it waited. Once
  ///   begun, the body runs to its end.
  func run<Value: Sendable>(
    for place: HashingPlace, isLarge: Bool, _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = Job(
          id: id, run: { continuation.resume(returning: $0 ? nil : body()) }, isLarge: isLarge)
        let isTaken = contents.withLock { contents in
          let line = contents.lines[place, default: []]
          guard line.count < Self.longestLine else { return false }
          if line.isEmpty { contents.turns.append(place) }
          contents.lines[place] = line + [job]
          return true
        }
        guard isTaken else { return job.run(true) }
        if Task.isCancelled { giveUp(id, place) }
        begin()
      }
    } onCancel: {
      giveUp(id, place)
    }
  }

  /// The number of hashes that wait.
  var waiting: Int { contents.withLock { $0.waiting } }
  /// The number of hashes that wait or are being computed.
  var count: Int { contents.withLock { $0.waiting + $0.busy.count } }

  private func giveUp(_ id: Int, _ place: HashingPlace) {
    let job = contents.withLock { contents -> Job? in
      guard let index = contents.lines[place]?.firstIndex(where: { $0.id == id }) else {
        return nil
      }
      return contents.take(index, of: place)
    }
    job?.run(true)
  }

  /// Begins as many hashes as can run now.
  private func begin() {
    while let (job, place) = contents.withLock({ next(&$0) }) {
      threads.async {
        job.run(false)
        self.contents.withLock { contents in
          contents.busy.remove(place)
          if job.isLarge { contents.isLargeRunning = false }
        }
        self.begin()
      }
    }
  }

  private func next(_ contents: inout Contents) -> (Job, HashingPlace)? {
    guard contents.busy.count < limit else { return nil }
    let isFullOfStrangers = contents.busy.count(where: \.isStranger) >= max(1, limit - 1)
    let index = contents.turns.firstIndex { place in
      !contents.busy.contains(place) && !(place.isStranger && isFullOfStrangers)
        && !(contents.isLargeRunning && contents.lines[place]?.first?.isLarge == true)
    }
    guard let index else { return nil }
    let place = contents.turns[index]
    guard let job = contents.take(0, of: place) else { return nil }
    // Its next hash waits behind all others.
    if contents.lines[place] != nil {
      contents.turns.removeAll { $0 == place }
      contents.turns.append(place)
    }
    contents.busy.insert(place)
    if job.isLarge { contents.isLargeRunning = true }
    return (job, place)
  }
}

extension HashingQueue.Contents {
  /// Takes a job out of a line, which goes when it is empty.
  fileprivate mutating func take(_ index: Int, of place: HashingPlace) -> HashingQueue.Job? {
    guard let job = lines[place]?.remove(at: index) else { return nil }
    if lines[place]?.isEmpty == true {
      lines[place] = nil
      turns.removeAll { $0 == place }
    }
    return job
  }
}

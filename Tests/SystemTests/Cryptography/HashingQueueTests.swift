import Dispatch
import Synchronization
import Testing

@testable import Cryptography

/// Whose hash is next (DUR-2). The hashes here wait until the test lets them go on.
@Suite(.timeLimit(.minutes(1))) struct HashingQueueTests {
  private let ada = HashingPlace.person("ada")
  private let bob = HashingPlace.person("bob")
  private let eve = HashingPlace.person("eve")

  /// Hashes that end when the test lets them, and their order.
  private final class Work: Sendable {
    private let begun = AsyncStream<String>.makeStream()
    private let gate = DispatchSemaphore(value: 0)
    func run(_ name: String) -> String {
      begun.continuation.yield(name)
      gate.wait()
      return name
    }

    /// Returns the next ones to begin.
    func next(_ count: Int) async -> [String] {
      var found: [String] = []
      for await name in begun.stream.prefix(count) { found.append(name) }
      return found
    }

    func finish(_ count: Int = 1) { for _ in 0..<count { gate.signal() } }
  }

  /// Puts a hash in line, and returns once it is there.
  private func add(
    _ name: String, at place: HashingPlace, isLarge: Bool = false, to queue: HashingQueue,
    _ work: Work
  ) async -> Task<String?, Never> {
    let before = queue.count
    let task = Task { await queue.run(for: place, isLarge: isLarge) { work.run(name) } }
    while queue.count == before { await Task.yield() }
    return task
  }

  @Test("DUR-2: one person's many password checks take turns with those of other people")
  func turns() async {
    let (queue, work) = (HashingQueue(limit: 1), Work())
    var tasks: [Task<String?, Never>] = []
    for number in 0..<4 {
      tasks.append(await add("eve \(number)", at: eve, to: queue, work))
    }
    tasks.append(await add("ada", at: ada, to: queue, work))
    tasks.append(await add("bob", at: bob, to: queue, work))
    work.finish(6)
    #expect(await work.next(6) == ["eve 0", "eve 1", "ada", "bob", "eve 2", "eve 3"])
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test("Each person has one hash in progress, however many cores there are")
  func onePerPlace() async {
    let (queue, work) = (HashingQueue(limit: 3), Work())
    var tasks = [await add("eve 0", at: eve, to: queue, work)]
    tasks.append(await add("eve 1", at: eve, to: queue, work))
    tasks.append(await add("ada", at: ada, to: queue, work))
    #expect(Set(await work.next(2)) == ["eve 0", "ada"])
    #expect(queue.waiting == 1)
    work.finish(3)
    #expect(await work.next(1) == ["eve 1"])
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test("DUR-2: hashes of strangers leave one core to people with a session")
  func strangers() async {
    let (queue, work) = (HashingQueue(limit: 2), Work())
    var tasks: [Task<String?, Never>] = []
    for number in 0..<3 {
      tasks.append(await add("stranger \(number)", at: .stranger("\(number)"), to: queue, work))
    }
    tasks.append(await add("ada", at: ada, to: queue, work))
    #expect(Set(await work.next(2)) == ["stranger 0", "ada"])
    work.finish(4)
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test("On a single core, hashes of strangers run, too")
  func strangersAlone() async {
    let (queue, work) = (HashingQueue(limit: 1), Work())
    let task = await add("stranger", at: .stranger(""), to: queue, work)
    work.finish()
    #expect(await task.value == "stranger")
  }

  @Test("A cancelled hash leaves the queue and isn't computed, but a running one finishes")
  func cancellation() async {
    let (queue, work) = (HashingQueue(limit: 1), Work())
    let first = await add("ada", at: ada, to: queue, work)
    let second = await add("bob", at: bob, to: queue, work)
    second.cancel()
    #expect(await second.value == nil)
    #expect(queue.waiting == 0)
    // What has begun goes on to its end.
    first.cancel()
    work.finish()
    #expect(await first.value == "ada")
    let third = Task { () -> String? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await queue.run(for: bob, isLarge: false) { "bob" }
    }
    #expect(await third.value == nil)
  }

  @Test("Eight hashes of one person can wait, and one more is refused at once")
  func longLine() async {
    let (queue, work) = (HashingQueue(limit: 1), Work())
    var tasks = [await add("ada", at: ada, to: queue, work)]
    for number in 0..<HashingQueue.longestLine {
      tasks.append(await add("eve \(number)", at: eve, to: queue, work))
    }
    #expect(await queue.run(for: eve, isLarge: false) { "" } == nil)
    tasks.append(await add("bob", at: bob, to: queue, work))
    work.finish(tasks.count)
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test("Hashes of the former cost, which take four times the memory, run one at a time")
  func largeHashes() async {
    let (queue, work) = (HashingQueue(limit: 3), Work())
    var tasks = [await add("ada", at: ada, isLarge: true, to: queue, work)]
    tasks.append(await add("bob", at: bob, isLarge: true, to: queue, work))
    tasks.append(await add("eve", at: eve, to: queue, work))
    #expect(Set(await work.next(2)) == ["ada", "eve"])
    work.finish(3)
    #expect(await work.next(1) == ["bob"])
    for task in tasks { #expect(await task.value != nil) }
  }

  @Test("A machine computes at least one hash at a time, and no more than its memory allows")
  func limits() {
    #expect(HashingQueue.limit(memoryOfEach: 1) >= 1)
    #expect(HashingQueue.limit(memoryOfEach: .max / 8) == 1)
    #expect(HashingQueue(limit: 0).limit == 1)
  }
}

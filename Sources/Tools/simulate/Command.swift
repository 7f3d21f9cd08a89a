@preconcurrency import Glibc
import Simulation

/// `simulate [--seeds N | --seed N] [--from N] [--store memory|files|postgres] [--sabotage NAME] [--verbose]`
struct Command: Sendable {
  private var seeds: [UInt64] = []
  private var store = Scenario.Store.memory
  private var sabotage: Sabotage?
  private var isVerbose = false
  private var complaint: String?

  init(_ arguments: [String]) {
    var count: UInt64 = 200
    var first: UInt64 = 0
    var single: UInt64?
    var rest = arguments[...]
    func number(_ text: String?) -> UInt64? { text.flatMap(UInt64.init) }
    while let word = rest.popFirst() {
      switch word {
      case "--verbose": isVerbose = true
      case "--seeds": count = number(rest.popFirst()) ?? 0
      case "--from": first = number(rest.popFirst()) ?? 0
      case "--seed": single = number(rest.popFirst())
      case "--store":
        let name = rest.popFirst() ?? ""
        store = Scenario.Store(rawValue: name) ?? .memory
        if Scenario.Store(rawValue: name) == nil { complaint = "There is no store “\(name)”." }
      case "--sabotage":
        let name = rest.popFirst() ?? ""
        sabotage = Sabotage(rawValue: name)
        if sabotage == nil {
          let all = Sabotage.allCases.map(\.rawValue).joined(separator: ", ")
          complaint = "There is no sabotage “\(name)”, but \(all)."
        }
      default: complaint = "“\(word)” isn't an option."
      }
    }
    seeds = single.map { [$0] } ?? Array(first..<first + count)
    if seeds.isEmpty { complaint = complaint ?? "Give a number of seeds." }
  }

  /// - Returns: The exit code: 1 if a rule was broken, 2 if the command line is wrong or a
  ///   simulation can't run.
  func run() -> Int32 {
    if let complaint { return complain(complaint) }
    var total = (sent: 0, repeated: 0, monitors: 0, failed: 0)
    var rest = seeds[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(100))
      rest = rest.dropFirst(batch.count)
      let outcomes = Simulation.runAll(batch) { seed in Result { try run(seed) } }
      for (seed, result) in zip(batch, outcomes) {
        let outcome: Simulation.Outcome
        do { outcome = try result.get() } catch { return complain("Seed \(seed): \(error)") }
        total.sent += outcome.sent
        total.repeated += outcome.repeated
        total.monitors += outcome.monitors
        if let violation = outcome.violation {
          total.failed += 1
          print("seed \(seed): \(violation)")
          if !isVerbose { print("  replay: \(replay(seed))") }
        }
      }
      if let last = batch.last, (last + 1) % 1_000 == 0 { print("up to seed \(last) …") }
    }
    print(
      """
      \(seeds.count) seeds on the \(store.rawValue) store: \(total.failed) with a broken rule; \
      \(total.sent) messages arrived, \(total.repeated) of them again; \(total.monitors) monitors
      """)
    return total.failed == 0 ? 0 : 1
  }

  private func run(_ seed: UInt64) throws -> Simulation.Outcome {
    let simulation = Simulation(Scenario(seed: seed, store: store), sabotage: sabotage)
    return try withTemporaryFolder { folder in
      try simulation.run(folder: folder, trace: isVerbose ? Self.show : nil)
    }
  }

  private static let show: @Sendable (String) -> Void = { print($0) }

  private func replay(_ seed: UInt64) -> String {
    var words = ["simulate", "--seed", "\(seed)", "--verbose"]
    if store != .memory { words += ["--store", store.rawValue] }
    if let sabotage { words += ["--sabotage", sabotage.rawValue] }
    return words.joined(separator: " ")
  }

  private func complain(_ text: String) -> Int32 {
    fputs("\(text)\n", stderr)
    return 2
  }
}

import AllocationCounter
import CTerminal
import Dispatch
@preconcurrency import Glibc

/// The results of a bench, printed row by row: Markdown tables for `docs/performance.md`, or with
/// `--count` the allocations of each case for `Scripts/check-work`, which also counts its
/// instructions.
@MainActor
package final class Bench {
  /// Whether work is counted rather than timed. Then a few operations of each case suffice.
  package nonisolated static let isCounting = CommandLine.arguments.contains("--count")

  /// The arguments other than `--count`.
  package let arguments: [String]
  /// How many cases missed their goals.
  package private(set) var missedCount = 0
  private var title = ""
  /// The columns of the table that begins with the next row.
  private var header: [String]?

  package init() {
    arguments = CommandLine.arguments.dropFirst().filter { $0 != "--count" }
    // Each row as soon as it is measured, also into a pipe.
    setvbuf(stdout, nil, _IOLBF, 0)
  }

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - title: Stands above the cases.
  ///   - unit: The unit of all values, if there is one.
  package func table(_ title: String, in unit: String? = nil, _ columns: String...) {
    self.title = title
    header = [unit.map { "\(title), in \($0)" } ?? title] + columns
  }

  /// Prints a row of the table.
  ///
  /// - Parameters:
  ///   - judged: The value to compare with the goal.
  ///   - goal: The largest value that is good enough.
  package func row(
    _ name: String, _ values: [String], judged: Double? = nil, goal: Double? = nil
  ) {
    guard !Self.isCounting else { return }
    if let header = header.take() {
      print()
      print(Self.line(header))
      print(Self.line(header.indices.map { $0 == 0 ? "---" : "---:" }))
    }
    var isMissed = false
    if let judged, let goal { isMissed = judged > goal }
    if isMissed { missedCount += 1 }
    print(Self.line([isMissed ? "\(name) – missed" : name] + values))
  }

  /// Prints the counts of a case: its table and name, its allocations, the operations in each part
  /// whose instructions are counted, and the number of such parts.
  package func count(_ name: String, _ work: [Work]) {
    guard Self.isCounting, let first = work.first else { return }
    let allocations = work.map(\.allocations).sorted()[work.count / 2]
    print("\(title): \(name)\t\(allocations)\t\(first.operations)\t\(work.count)")
  }

  /// Runs a bench, and ends the program: with 1 if the bench fails.
  ///
  /// - Parameter body: Measures, and returns the exit code.
  package static func run(
    _ body: @escaping @MainActor (_ bench: Bench) async throws -> Int32
  ) -> Never {
    Task { @MainActor in
      do { exit(try await body(Bench())) } catch {
        complain("\(CommandLine.arguments[0]): \(error)")
        exit(1)
      }
    }
    guard isCounting else { dispatchMain() }
    // `dispatchMain` ends the main thread, and valgrind 3.19 with it: that writes to the mask of
    // `sigsuspend`, which is constant.
    while true {
      var entry = pollfd(
        fd: _dispatch_get_main_queue_handle_4CF(), events: Int16(POLLIN), revents: 0)
      var counter: UInt64 = 0
      guard poll(&entry, 1, -1) > 0, read(entry.fd, &counter, 8) == 8 else { continue }
      _dispatch_main_queue_callback_4CF(nil)
    }
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}

/// What some operations on the calling thread cost, however fast and busy the machine is.
package struct Work: Sendable {
  /// The calls to the allocator, for each operation.
  package let allocations: Double
  package let operations: Int

  /// Counts the work of a closure that makes `operations`.
  package init(of operations: Int = 1, _ work: () throws -> Void) rethrows {
    counting_begins()
    let before = allocation_count()
    try work()
    self.init(operations, since: before)
  }

  /// Counts the work of a closure, in which other tasks may run.
  package init(
    of operations: Int = 1, isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> Void
  ) async rethrows {
    counting_begins()
    let before = allocation_count()
    try await work()
    self.init(operations, since: before)
  }

  private init(_ operations: Int, since before: Int64) {
    let count = allocation_count() - before
    counting_ends()
    self.operations = operations
    allocations = Double(count) / Double(operations)
  }
}

/// Formats a figure for a table: two decimals below ten, one below a hundred, and otherwise whole
/// with thousands separators.
package func figure(_ value: Double) -> String {
  guard value >= 100 else {
    let scale = value < 10 ? 100.0 : 10.0
    return "\((value * scale).rounded() / scale)"
  }
  var digits = Array("\(Int(value.rounded()))")
  for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
  return String(digits)
}

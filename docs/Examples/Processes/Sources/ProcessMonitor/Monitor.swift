import Terminal

/// The load of the machine, and the processes that cause it.
@MainActor final class Monitor {
  /// The shares of the processors and of the memory that were in use, oldest first.
  private(set) var processor: [Double] = [], memory: [Double] = []
  private(set) var rows: [ProcessRow] = []
  var position = ListPosition()
  private var latest = Snapshot()

  /// Takes a snapshot every second, until the task is cancelled.
  func run(
    clock: any Clock<Duration>, read: () -> Snapshot = Snapshot.read, onChange: () -> Void
  ) async {
    repeat {
      show(read())
      onChange()
    } while (try? await clock.sleep(for: .seconds(1))) != nil
  }

  func show(_ snapshot: Snapshot) {
    let times = Dictionary(uniqueKeysWithValues: latest.processes.map { ($0.id, $0.time) })
    let elapsed = Double(max(1, snapshot.totalTime - latest.totalTime))
    if latest.totalTime > 0 {
      processor.append(Double(snapshot.busyTime - latest.busyTime) / elapsed)
    }
    memory.append(snapshot.memory)
    rows = snapshot.processes.map { process in
      // Another process can have the number of one that ended.
      let time = max(0, process.time - (times[process.id] ?? process.time))
      return ProcessRow(process: process, share: Double(time) / elapsed)
    }
    rows.sort { ($0.share, $0.process.bytes) > ($1.share, $1.process.bytes) }
    latest = snapshot
  }
}

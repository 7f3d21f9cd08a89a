import Glibc

/// What `/proc` says at one moment. Times are in ticks.
struct Snapshot: Sendable {
  var busyTime = 0, totalTime = 0
  /// The share of the memory that is in use.
  var memory = 0.0
  var processes: [Process] = []

  struct Process: Equatable, Sendable {
    var id: Int, name: String, time: Int, bytes: Int
  }

  static func read() -> Snapshot {
    // user nice system idle iowait irq softirq steal; total free available
    let times = numbers(in: "/proc/stat").prefix(8), memory = numbers(in: "/proc/meminfo")
    guard times.count == 8, memory.count > 2, let folder = opendir("/proc") else { return Self() }
    defer { closedir(folder) }
    let time = times.reduce(0, +)
    var snapshot = Snapshot(
      busyTime: time - times[3] - times[4], totalTime: time,
      memory: 1 - Double(memory[2]) / Double(memory[0]))
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 } }
      // A process can end between these lines; then there is no text.
      guard let id = Int(String(decoding: name, as: UTF8.self)),
        let process = Process(line: text(of: "/proc/\(id)/stat"))
      else { continue }
      snapshot.processes.append(process)
    }
    return snapshot
  }

  private static func numbers(in path: String) -> [Int] {
    text(of: path).split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
  }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension Snapshot.Process {
  /// Reads the line of a process, `12 (name) S …`; `nil` if it isn't whole. The name can contain
  /// anything: parentheses, spaces, and marks that would join the parenthesis before them.
  init?(line: String) {
    guard let open = line.utf8.firstIndex(of: 40), let close = line.utf8.lastIndex(of: 41),
      open < close, let id = Int(line[..<open].prefix { $0 != " " })
    else { return nil }
    let fields = line[close...].split(separator: " ").dropFirst().map { Int($0) ?? 0 }
    guard fields.count > 21 else { return nil }
    self.init(
      id: id, name: String(line[line.utf8.index(after: open)..<close]),
      time: fields[11] + fields[12], bytes: fields[21] * Int(getpagesize()))
  }
}

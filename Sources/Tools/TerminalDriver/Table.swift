/// A table of all programs, with the ratio of the last to the first.
struct Table {
  private let measurements: [Measurement]

  init(_ measurements: [Measurement]) { self.measurements = measurements }

  private static let columns = [
    "", "start ms", "MB", "move bytes", "ms", "CPU µs", "scroll bytes", "ms", "CPU µs",
    "storm bytes", "CPU µs",
  ]

  func print() {
    var rows = [Self.columns]
    for measurement in measurements {
      rows.append([measurement.name] + zip(values(of: measurement), Self.digits).map(Self.text))
    }
    if let first = measurements.first, let last = measurements.last, measurements.count > 1 {
      let ratios = zip(values(of: last), values(of: first)).map {
        $1 > 0 ? "×" + Self.text($0 / $1, 1) : ""
      }
      rows.append(["\(last.name) : \(first.name)"] + ratios)
    }
    let widths = Self.columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + padding : padding + cell.0
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }

  /// The number of decimals in each column of figures.
  private static let digits = [1, 1, 0, 2, 0, 0, 2, 0, 0, 0]

  private func values(of measurement: Measurement) -> [Double] {
    [
      measurement.startMilliseconds, measurement.memoryMiB,
      Double(measurement.move.bytes), measurement.move.milliseconds, measurement.move.microseconds,
      Double(measurement.scroll.bytes), measurement.scroll.milliseconds,
      measurement.scroll.microseconds, Double(measurement.stormBytes),
      measurement.stormMicroseconds,
    ]
  }

  private static func text(_ value: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let rounded = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return "\(rounded)" }
    let fraction = "\(abs(rounded) % scale)"
    let sign = rounded < 0 && rounded / scale == 0 ? "-" : ""
    return
      "\(sign)\(rounded / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }
}

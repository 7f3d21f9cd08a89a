import Terminal

/// Formats rows of sanitized cells as lines with aligned columns.
func aligned(_ rows: [[String]]) -> [String] {
  let count = rows.map(\.count).max() ?? 0
  let widths = (0..<count).map { column in
    rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0
  }
  return rows.map { row in
    let cells = zip(row, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.columns)
    }
    return (cells.dropLast() + row.suffix(1)).joined(separator: "  ")
  }
}

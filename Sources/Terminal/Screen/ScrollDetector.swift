/// Rows that moved up or down together from one frame to the next, so that the terminal can move
/// them instead of getting them again.
struct Scroll: Equatable {
  /// The rows that take part: those that move, and those that become free.
  let region: Range<Int>
  /// How far the rows move up; negative when they move down.
  let distance: Int
}

/// Finds the scroll that saves most.
struct ScrollDetector {
  private var old: [UInt64] = []
  private var new: [UInt64] = []

  /// A scroll pays when it saves at least this many rows.
  private static let leastGain = 3

  /// - Returns: `nil` when no scroll pays.
  /// - Complexity: O(cells) for the hashes, O(rows²) to compare them.
  mutating func find(from front: CellBuffer, to back: CellBuffer) -> Scroll? {
    let rows = back.size.rows
    guard rows > Self.leastGain, front.size == back.size else { return nil }
    Self.hash(front, into: &old)
    Self.hash(back, into: &new)
    var changed = 0
    for row in 0..<rows where old[row] != new[row] { changed += 1 }
    guard changed >= Self.leastGain else { return nil }

    var best: Scroll?
    var bestGain = Self.leastGain - 1
    for distance in 1..<rows {
      for signed in [distance, -distance] {
        guard let (scroll, gain) = gain(of: signed, rows: rows), gain > bestGain else { continue }
        best = scroll
        bestGain = gain
      }
    }
    return best
  }

  /// What moving rows by a distance saves, in rows; `nil` when no row is where that would put it.
  private func gain(of distance: Int, rows: Int) -> (Scroll, Int)? {
    var first = -1
    var last = -1
    for row in max(0, -distance)..<min(rows, rows - distance)
    where new[row] == old[row + distance] && new[row] != old[row] {
      if first < 0 { first = row }
      last = row
    }
    guard first >= 0 else { return nil }
    let region = min(first, first + distance)..<max(last, last + distance) + 1
    // The rows that become free hold nothing that is wanted.
    var gain = 0
    for row in region {
      let source = row + distance
      if region.contains(source), new[row] == old[source] { gain += 1 }
      if new[row] == old[row] { gain -= 1 }
    }
    return (Scroll(region: region, distance: distance), gain)
  }

  private static func hash(_ buffer: CellBuffer, into hashes: inout [UInt64]) {
    hashes.removeAll(keepingCapacity: true)
    let columns = buffer.size.columns
    buffer.cells.withUnsafeBufferPointer { cells in
      for row in 0..<buffer.size.rows {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for cell in cells[row * columns..<(row + 1) * columns] {
          hash =
            (hash ^ (UInt64(cell.glyph.bits) << 32 | UInt64(cell.style)))
            &* 0x9E37_79B9_7F4A_7C15
          hash ^= hash >> 29
        }
        hashes.append(hash)
      }
    }
  }
}

extension CellBuffer {
  /// Moves rows as a terminal does; those that become free are blank.
  mutating func apply(_ scroll: Scroll) {
    let columns = size.columns
    let region = scroll.region
    let kept = max(0, region.count - abs(scroll.distance))
    cells.withUnsafeMutableBufferPointer { cells in
      let base = cells.baseAddress! + region.lowerBound * columns
      let free: UnsafeMutablePointer<Cell>
      if scroll.distance > 0 {
        base.update(from: base + scroll.distance * columns, count: kept * columns)
        free = base + kept * columns
      } else {
        (base - scroll.distance * columns).update(from: base, count: kept * columns)
        free = base
      }
      free.update(repeating: .blank, count: (region.count - kept) * columns)
    }
  }
}

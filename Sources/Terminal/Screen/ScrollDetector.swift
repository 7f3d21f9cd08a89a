import Glibc

/// A block of rows that moved up or down from one frame to the next, so that the terminal can move
/// them instead of redrawing them.
struct Scroll: Equatable {
  /// The rows involved: those that move, and those that become blank.
  let region: Range<Int>
  /// The distance the rows move up; negative if they move down.
  let distance: Int

  /// Returns the row in which a row was before; `nil` if it becomes blank.
  func source(of row: Int) -> Int? {
    guard region.contains(row) else { return row }
    return region.contains(row + distance) ? row + distance : nil
  }
}

/// Finds the scroll that saves the most rows.
struct ScrollDetector {
  /// The hashes of the rows of the shown frame, which was the drawn one before; 0 for those that weren't
  /// needed yet.
  private var old: [UInt64] = []
  /// The same of the drawn frame.
  private var new: [UInt64] = []

  /// A bit for each hash of the shown frame, by twelve of its bits.
  private var slots = [UInt64](repeating: 0, count: 64)

  /// The minimum number of rows that a scroll must save.
  private static let leastGain = 3

  /// Forgets the last frame, because the next one isn't compared with it.
  mutating func forget() { old.removeAll(keepingCapacity: true) }

  /// Compares the drawn frame with the shown one, which was the drawn one of the last call.
  /// - Returns: The best scroll, or `nil` if none saves enough.
  /// - Complexity: O(cells) for the hashes, at most O(rows²) to compare them.
  mutating func find(from front: CellBuffer, to back: CellBuffer) -> Scroll? {
    let rows = back.size.rows
    guard rows > Self.leastGain, front.size == back.size else {
      forget()
      return nil
    }
    defer { swap(&old, &new) }
    let changedCount = takeHashesOfEqualRows(front, back)
    // A moving selection changes only a few rows; hashing all rows would cost more than a scroll
    // saves.
    guard changedCount > Self.leastGain + 1 else { return nil }
    Self.addHashes(of: front, to: &old)
    Self.addHashes(of: back, to: &new)
    guard mayHaveMoved() else { return nil }

    var best: Scroll?
    var bestGain = Self.leastGain - 1
    // Try up by one, down by one, up by two, and so on.
    for step in 2..<2 * rows {
      let distance = step % 2 == 0 ? step / 2 : -(step / 2)
      // The rows at the end of the region become blank, so none of them is saved.
      guard bestGain < changedCount - abs(distance) else { break }
      guard let (scroll, gain) = gain(of: distance, rows: rows), gain > bestGain else { continue }
      best = scroll
      bestGain = gain
    }
    return best.map { Self.extended($0, from: front, to: back) }
  }

  /// Whether enough rows that changed may have been somewhere before, which takes less time than looking
  /// for them.
  private mutating func mayHaveMoved() -> Bool {
    for index in slots.indices { slots[index] = 0 }
    for row in old.indices { slots[Int(old[row] &>> 58)] |= 1 &<< old[row] }
    var count = 0
    for row in new.indices where new[row] != old[row] {
      if slots[Int(new[row] &>> 58)] & (1 &<< new[row]) != 0 { count += 1 }
    }
    return count >= Self.leastGain
  }

  /// Returns the scroll by a distance and the number of rows it saves; `nil` if no row would end up
  /// in its new position.
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
    // Matches inside the region are rows saved; rows that were already right must be redrawn.
    var gain = 0
    for row in region {
      let source = row + distance
      if region.contains(source), new[row] == old[source] { gain += 1 }
      if new[row] == old[row] { gain -= 1 }
    }
    return (Scroll(region: region, distance: distance), gain)
  }

  /// Extends a scroll to adjacent rows that get closer to their new contents by moving too, such as
  /// rows that differ only in a scrollbar.
  private static func extended(
    _ scroll: Scroll, from front: CellBuffer, to back: CellBuffer
  ) -> Scroll {
    var region = scroll.region
    func comesCloser(_ row: Int) -> Bool {
      guard row >= 0, row < back.size.rows, row + scroll.distance >= 0,
        row + scroll.distance < back.size.rows
      else { return false }
      return difference(row, back, row + scroll.distance, front) < difference(row, back, row, front)
    }
    if scroll.distance > 0 {
      while comesCloser(region.lowerBound - 1) {
        region = region.lowerBound - 1..<region.upperBound
      }
    } else {
      while comesCloser(region.upperBound) { region = region.lowerBound..<region.upperBound + 1 }
    }
    return Scroll(region: region, distance: scroll.distance)
  }

  /// Returns the number of cells in which two rows differ.
  private static func difference(
    _ row: Int, _ buffer: CellBuffer, _ otherRow: Int, _ other: CellBuffer
  ) -> Int {
    var count = 0
    for column in 0..<buffer.size.columns
    where buffer[column, row] != other[column, otherRow] { count += 1 }
    return count
  }

  /// Takes over the hashes of rows that haven't changed.
  /// - Returns: The number of rows that have.
  private mutating func takeHashesOfEqualRows(_ front: CellBuffer, _ back: CellBuffer) -> Int {
    let (rows, columns) = (back.size.rows, back.size.columns)
    if old.count != rows { old = Array(repeating: 0, count: rows) }
    new.removeAll(keepingCapacity: true)
    var changedCount = 0
    front.cells.withUnsafeBufferPointer { shown in
      back.cells.withUnsafeBufferPointer { drawn in
        for row in 0..<rows {
          let isEqual =
            memcmp(
              shown.baseAddress! + row * columns, drawn.baseAddress! + row * columns,
              columns * MemoryLayout<Cell>.stride) == 0
          new.append(isEqual ? old[row] : 0)
          if !isEqual { changedCount += 1 }
        }
      }
    }
    return changedCount
  }

  /// Computes the hashes that are missing.
  private static func addHashes(of buffer: CellBuffer, to hashes: inout [UInt64]) {
    let columns = buffer.size.columns
    buffer.cells.withUnsafeBytes { bytes in
      let words = bytes.bindMemory(to: UInt64.self)
      for row in hashes.indices where hashes[row] == 0 {
        let cells = UnsafeBufferPointer(rebasing: words[row * columns..<(row + 1) * columns])
        hashes[row] = max(1, hash(cells))
      }
    }
  }

  /// Uses four independent accumulators so that the multiplications overlap.
  private static func hash(_ cells: UnsafeBufferPointer<UInt64>) -> UInt64 {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var (a, b, c, d) = (factor, factor &* 3, factor &* 5, factor &* 7)
    var index = 0
    while index &+ 4 <= cells.count {
      a = (a ^ cells[index]) &* factor
      b = (b ^ cells[index &+ 1]) &* factor
      c = (c ^ cells[index &+ 2]) &* factor
      d = (d ^ cells[index &+ 3]) &* factor
      index &+= 4
    }
    while index < cells.count {
      a = (a ^ cells[index]) &* factor
      index += 1
    }
    a = (a ^ (a >> 29) ^ b) &* factor
    a = (a ^ (a >> 29) ^ c) &* factor
    a = (a ^ (a >> 29) ^ d) &* factor
    return a ^ (a >> 32)
  }
}

import Composable
import FoundationEssentials
import Glibc

/// What the simulation draws from its random numbers.
extension SplitMix64 {
  /// Returns `true` with this probability.
  mutating func chance(_ share: Double) -> Bool { self.share() < share }

  /// Returns a number from 0 up to 1.
  mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns a mostly small, sometimes large number: all orders of magnitude are equally likely.
  mutating func scaled(_ range: ClosedRange<Int>) -> Int {
    let low = log(Double(range.lowerBound))
    let high = log(Double(range.upperBound))
    let number = Int(exp(Double.random(in: low...high, using: &self)).rounded())
    return min(range.upperBound, max(range.lowerBound, number))
  }

  mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices.randomElement(using: &self)!
  }

  /// Returns the milliseconds until the next event of this rate.
  mutating func milliseconds(untilNextOf perHour: Double) -> Int {
    let share = Double.random(in: 0.000_001..<1, using: &self)
    return min(1_000_000_000, max(1, Int(-log(share) / perHour * 3_600_000)))
  }

  mutating func uuid() -> UUID {
    let (high, low) = (next(), next())
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}

/// A control sequence (`CSI`) as it arrives: private prefix, parameters and intermediate byte.
///
/// Bounded: parameters beyond 16 and sub-parameters beyond 3 are counted but dropped, and values
/// are capped at 1,114,111, the largest scalar value and far above any coordinate.
struct ControlSequence {
  /// `<`, `=`, `>` or `?` before the parameters, otherwise 0.
  private(set) var prefix: UInt8 = 0
  /// The last intermediate byte (0x20 to 0x2F), otherwise 0.
  private(set) var intermediate: UInt8 = 0
  /// The number of bytes since the introducer.
  private(set) var length = 0

  private var values: [Int] = []
  private var position = 0
  private var subposition = 0

  private static let parameterLimit = 16
  private static let subparameterLimit = 3
  private static let valueLimit = 0x10FFFF

  /// Returns a parameter, or `standard` if it is missing or empty.
  func parameter(_ index: Int, or standard: Int = 0) -> Int {
    subparameter(index, 0, or: standard)
  }

  /// Returns a sub-parameter (`a:b:c`) by both indices. The first is the parameter itself.
  func subparameter(_ index: Int, _ subindex: Int, or standard: Int = 0) -> Int {
    let place = index * Self.subparameterLimit + subindex
    guard index < Self.parameterLimit, subindex < Self.subparameterLimit, place < values.count,
      values[place] >= 0
    else { return standard }
    return values[place]
  }

  /// The number of parameters, including dropped ones; 0 if there are none at all.
  var count: Int {
    position == 0 && subposition == 0 && values.isEmpty ? 0 : position + 1
  }

  /// Resets the sequence, keeping the storage.
  mutating func reset() {
    prefix = 0
    intermediate = 0
    length = 0
    position = 0
    subposition = 0
    values.removeAll(keepingCapacity: true)
  }

  /// Appends a byte between the introducer and the final byte.
  mutating func append(_ byte: UInt8) {
    length += 1
    switch byte {
    case 0x30...0x39:
      add(Int(byte - 0x30))
    case 0x3A:
      subposition += 1
    case 0x3B:
      position += 1
      subposition = 0
    case 0x3C...0x3F:
      // Only the first byte can be a prefix; a later one makes the sequence invalid.
      prefix = length == 1 ? byte : 0xFF
    default:
      intermediate = byte
    }
  }

  private mutating func add(_ digit: Int) {
    guard position < Self.parameterLimit, subposition < Self.subparameterLimit else { return }
    let place = position * Self.subparameterLimit + subposition
    while values.count <= place { values.append(-1) }
    values[place] = min(max(0, values[place]) * 10 + digit, Self.valueLimit)
  }
}

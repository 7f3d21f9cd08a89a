import Terminal

/// Decodes random input as a whole and split into pieces, which must give the same result.
package struct DecoderFuzz {
  /// The number of bytes decoded so far.
  package private(set) var count = 0

  private var input: RandomInput
  private var whole = InputDecoder()
  private var split = InputDecoder()
  private var expected: [DecodedInput] = []
  private var output: [DecodedInput] = []

  package init(_ random: any RandomNumberGenerator) {
    input = RandomInput(random)
  }

  /// Decodes another piece of input.
  /// - Returns: The bytes for which the results differ; `nil` if they don't.
  package mutating func step() -> [UInt8]? {
    let bytes = input.next()
    count += bytes.count
    whole.feed(bytes, into: &expected)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + input.number(below: 64))
      split.feed(bytes[start..<end], into: &output)
      start = end
    }
    if input.number(below: 4) == 0 {
      whole.timeout(into: &expected)
      split.timeout(into: &output)
    }
    guard output == expected, whole.isWaiting == split.isWaiting else { return bytes }
    expected.removeAll(keepingCapacity: true)
    output.removeAll(keepingCapacity: true)
    return nil
  }
}

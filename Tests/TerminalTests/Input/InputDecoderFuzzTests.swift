import AllocationCounter
import struct Composable.SplitMix64
import TerminalTesting
import Testing

@testable import Terminal

/// `make test` decodes two million bytes, `make fuzz` as many as `FUZZ_BYTES` specifies.
@Suite("Decoding of random bytes with random splits")
struct InputDecoderFuzzTests {
  @Test func splitsDoNotMatter() {
    let heapBefore = allocation_bytes()
    var fuzz = DecoderFuzz(SplitMix64(seed: 1))
    while fuzz.count < 2_000_000 {
      if let bytes = fuzz.step() {
        Issue.record("after \(fuzz.count) bytes: \(bytes)")
        return
      }
    }
    // What two decoders hold of a paste and a string.
    let heap = allocation_bytes() - heapBefore
    #expect(heap < 8 << 20)
  }

  @Test func thePersonAlwaysGetsThrough() {
    var input = RandomInput(SplitMix64(seed: 42))
    for _ in 0..<3000 {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed(input.bytes(pieces: 30), into: &output)
      // Whatever came before, the next key is recognised after CAN, the end of a paste and a pause.
      decoder.feed([0x18, 0x18, 0x18, 0x18], into: &output)
      decoder.feed(Array("\u{1B}[201~".utf8), into: &output)
      decoder.timeout(into: &output)
      decoder.timeout(into: &output)
      output.removeAll()
      decoder.feed([0x71], into: &output)
      #expect(output == [.event(.key("q"))])
    }
  }
}

/// Returns a checksum (FNV-1a) to record in place of lines that are too many to keep. It is the
/// same in every run.
public func checksum(of lines: [String]) -> String {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  for line in lines {
    for byte in line.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    sum = (sum ^ 0x0A) &* 0x100_0000_01B3
  }
  return String(sum, radix: 16)
}

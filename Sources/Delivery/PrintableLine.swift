import Domain

extension String {
  /// What another program or server said, as one line of printable characters, at most 200.
  var printableLine: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(200) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    return String(scalars).trimmingWhitespace()
  }
}

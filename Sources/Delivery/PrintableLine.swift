import Domain

extension String {
  /// Text from another program or server as one line of at most 200 printable characters.
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

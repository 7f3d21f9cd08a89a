/// What views inherit from those around them.
struct ViewEnvironment {
  /// How text looks that says nothing else.
  var style = Style.plain
  /// The most lines of a text; `nil` for no limit.
  var lineLimit: Int?
  /// Which end of a text gives way.
  var truncation = Truncation.tail
  /// The columns of the labels of fields; `nil` for as many as each needs.
  var labelWidth: Int?
  /// Whether lists that are longer than their room have a scrollbar.
  var showsScrollIndicators = true
  /// What stands before the selected row of a list.
  var selectionMark: Unicode.Scalar = "▌"
  /// How the lines of a text stand to each other.
  var textAlignment = HorizontalAlignment.leading
  /// Whether nothing may move by itself.
  var reducesMotion = false
  /// Whether the views are read out rather than looked at: everything is said in words.
  var isSpoken = false
}

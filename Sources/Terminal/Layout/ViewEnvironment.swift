/// The properties that views inherit from those around them.
struct ViewEnvironment: Equatable {
  /// The default style of text.
  var style = Style.plain
  /// The maximum number of lines of a text; `nil` for no limit.
  var lineLimit: Int?
  /// Which end of a text is cut off.
  var truncation = Truncation.tail
  /// The width of field labels in columns; `nil` to fit each label.
  var labelWidth: Int?
  /// Whether lists show a scrollbar if their rows don't all fit.
  var showsScrollIndicators = true
  /// The mark before the selected row of a list.
  var selectionMark: Unicode.Scalar = "▌"
  /// The alignment of lines within a text.
  var textAlignment = HorizontalAlignment.leading
  /// Whether motion is reduced.
  var reducesMotion = false
  /// Whether the views are read aloud instead of shown, so that everything is said in words.
  var isSpoken = false
}

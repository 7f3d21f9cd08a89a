/// A writable part of a state, modified in place.
///
/// A stored property has a fixed offset, so it is modified directly, without walking the key path
/// and without a copy. A computed property is modified through its key path.
@usableFromInline
struct FieldPath<Root, Value> {
  @usableFromInline let keyPath: WritableKeyPath<Root, Value>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Value>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Modifies the part in place.
  @inlinable
  func modify<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
    guard let offset else { return body(&root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) { pointer in
      body(
        &UnsafeMutableRawPointer(pointer).advanced(by: offset)
          .assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Modifies the part, and passes whether it is a copy that replaces the part afterwards. That is
  /// how a key path modifies a computed property.
  @inlinable
  func modify<Result>(
    _ root: inout Root, _ body: (_ value: inout Value, _ isCopy: Bool) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &root) { root in
      withUnsafeMutablePointer(to: &root.pointee[keyPath: keyPath]) { value in
        body(&value.pointee, UnsafeRawPointer(value) < root || UnsafeRawPointer(value) >= root + 1)
      }
    }
  }

  /// Returns the part.
  func get(_ root: Root) -> Value { root[keyPath: keyPath] }
}

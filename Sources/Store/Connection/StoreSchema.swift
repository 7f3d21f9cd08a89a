/// What a store is made of: the scripts that bring it from each version of its schema to the next.
package enum StoreSchema {
  /// In their order, as SQLite takes them; the first makes a store from nothing.
  package static let scripts: [[UInt8]] = [
    PackageResources.schema1_sql, PackageResources.schema2_sql, PackageResources.schema3_sql,
    PackageResources.schema4_sql, PackageResources.schema5_sql, PackageResources.schema6_sql,
    PackageResources.schema7_sql, PackageResources.schema8_sql, PackageResources.schema9_sql,
    PackageResources.schema10_sql, PackageResources.schema11_sql,
  ]
}

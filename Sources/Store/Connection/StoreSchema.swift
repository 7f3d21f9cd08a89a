/// The scripts that bring a store from each version of the schema to the next.
package enum StoreSchema {
  /// The scripts in order, as SQLite takes them; the first creates a store from nothing.
  package static let scripts: [[UInt8]] = [
    PackageResources.schema1_sql, PackageResources.schema2_sql, PackageResources.schema3_sql,
    PackageResources.schema4_sql, PackageResources.schema5_sql, PackageResources.schema6_sql,
    PackageResources.schema7_sql, PackageResources.schema8_sql, PackageResources.schema9_sql,
    PackageResources.schema10_sql, PackageResources.schema11_sql, PackageResources.schema12_sql,
    PackageResources.schema13_sql, PackageResources.schema14_sql, PackageResources.schema15_sql,
    PackageResources.schema16_sql, PackageResources.schema17_sql, PackageResources.schema18_sql,
    PackageResources.schema19_sql,
  ]
}

import { migrateProduct } from '../app/schema.ts';
import type { TestDatabase } from './database.ts';
import type { RealCluster } from './real-cluster.ts';

/** Makes the product's roles and its database, as an operator does, and brings the schema up to date. */
export async function prepareProduct(cluster: RealCluster): Promise<TestDatabase> {
  await cluster.query('create role fpay_owner login');
  await cluster.query('create role fpay_app login');
  await cluster.query('create database fpay owner fpay_owner');
  const database = productAt(cluster);
  await migrateProduct({ url: database.ownerUrl });
  return database;
}

/** The product's database on one of several hosts, of which one takes writes. */
export function productAt(...clusters: RealCluster[]): TestDatabase {
  const hosts = clusters.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    ownerUrl: `postgres://fpay_owner@${hosts}/fpay`,
    appUrl: `postgres://fpay_app@${hosts}/fpay`,
    // The cluster is removed as a whole.
    drop: async () => {},
  };
}

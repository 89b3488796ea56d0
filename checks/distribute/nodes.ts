import { existsSync, globSync } from 'node:fs';
import { query } from '../../test/query.ts';
import { type Cluster, startCluster } from '../failover/cluster.ts';

/** A coordinator of Citus with its workers. */
export interface Nodes {
  readonly coordinator: Cluster;
  readonly workers: readonly Cluster[];
}

/** Whether the newest PostgreSQL of this machine has Citus. */
export function isCitusInstalled(): boolean {
  const newest = globSync('/usr/lib/postgresql/*').sort().at(-1) ?? '';
  return existsSync(`${newest.replace('/lib/', '/share/')}/extension/citus.control`);
}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  // Each test empties all tables on every node, in two phases: with flushes that takes most of the time. No node loses power here.
  fsync: 'off',
  // Fewer than the 32 of a real one: each contract test empties all of them.
  'citus.shard_count': '4',
  'citus.node_conninfo': 'sslmode=prefer',
};

/** Three clusters, which end with the test. */
export async function startNodes(): Promise<Nodes> {
  const coordinator = await startCluster(SETTINGS);
  const workers = [await startCluster(SETTINGS), await startCluster(SETTINGS)];
  return { coordinator, workers };
}

/** A database of this name on every node, which the coordinator distributes to the workers. */
export async function createCitusDatabase({ coordinator, workers }: Nodes, name: string): Promise<string> {
  for (const node of [coordinator, ...workers]) {
    await query(node.url, `create database ${name}`);
    await query(urlOf(node, name), 'create extension citus');
  }
  const url = urlOf(coordinator, name);
  await query(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers) await query(url, `select citus_add_node('127.0.0.1', ${port})`);
  return url;
}

function urlOf({ url }: Cluster, name: string): string {
  return new URL(`/${name}`, url).href;
}

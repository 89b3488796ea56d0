import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMetric, printNote } from '../../bench/speed/metrics.ts';
import { seedManyShops } from '../../bench/speed/seed-many-shops.ts';
import { migrate } from '../../packages/adapters-postgres/src/index.ts';
import { keepPassword, openCluster, SUPERUSER } from '../../packages/embedded-postgres/src/cluster.ts';
import { findFormerPrograms } from '../../packages/embedded-postgres/src/index.ts';
import { runProgram } from '../../packages/embedded-postgres/src/programs.ts';
import { startServer } from '../../packages/embedded-postgres/src/start-server.ts';
import { query } from '../../test/query.ts';
import type { Program } from './former-program.ts';

const FORMER_VERSIONS = ['17', '16', '15'];

/** An embedded database of an older PostgreSQL, with this many purchases, becomes one of ours by the command. */
export async function upgradeMajorVersion(program: Program, purchases: number): Promise<void> {
  for (const version of FORMER_VERSIONS) {
    const binaries = findFormerPrograms(version);
    if (binaries !== null) return upgradeFrom(version, binaries, program, purchases);
  }
  printNote(
    `NOT CHECKED: database upgrade. This machine has no older PostgreSQL (${FORMER_VERSIONS.join(', ')}); on Debian: apt install postgresql-15`,
  );
}

async function upgradeFrom(
  version: string,
  binaries: string,
  program: Program,
  purchases: number,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'handover-major-'));
  try {
    await makeFormerData(join(dataDir, 'postgres'), binaries, purchases);
    const began = performance.now();
    const upgraded = await program.run<{ upgraded: boolean; from: string; version: string; rows: number }>(
      { DATA_DIR: dataDir },
      ['database', 'upgrade'],
    );
    const seconds = (performance.now() - began) / 1000;
    printNote(`database upgrade: PostgreSQL ${upgraded.from} to ${upgraded.version} (data of ${version})`);
    printMetric('database upgrade, rows', upgraded.rows, '', { atLeast: purchases * 5 });
    printMetric('database upgrade, time', seconds, ' s');
    const { organisations } = await program.run<{ organisations: readonly unknown[] }>(
      { DATA_DIR: dataDir },
      ['org', 'list'],
    );
    printMetric('organisations afterwards', organisations.length, '', { atLeast: 20 });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeFormerData(directory: string, binaries: string, purchases: number): Promise<void> {
  const opened = await openCluster(directory);
  const cluster = { ...opened, programs: { ...opened.programs, binaries } };
  await keepPassword(cluster.password, cluster);
  const made = await runProgram(cluster.programs, 'initdb', [
    `--pgdata=${cluster.data}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${cluster.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  if (made.code !== 0) throw new Error(made.output);
  const { url, stop } = await startServer(cluster, () => undefined);
  try {
    await migrate(url);
    await seedManyShops({ shops: [], query: (text) => query(url, text) }, 20, purchases);
  } finally {
    await stop();
  }
}

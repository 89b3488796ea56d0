import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isDockerThere, startPostgresContainer } from '../apps/server/test/start-postgres-container.ts';
import {
  createMigratedTemplate,
  type TestPostgres,
} from '../packages/adapters-postgres/src/testing/create-test-database.ts';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/src/index.ts';
import { isRunning } from './is-running.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL for this run; create databases in it with createTestDatabase. */
    postgres: TestPostgres;
  }
}

type RunningPostgres = { url: string; name: string; stop: () => Promise<void> };
type PreparedPostgres = TestPostgres & { stop: () => Promise<void> };

/** Runs once, for the project of database tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, migrated, stop } = await preparePostgres();
  project.provide('postgres', { url, migrated });
  return stop;
}

async function preparePostgres(): Promise<PreparedPostgres> {
  const { url, stop } = await startPostgres();
  try {
    const template = await createMigratedTemplate(url);
    return { url, migrated: template.name, stop: () => template.drop().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(): Promise<RunningPostgres> {
  const postgres = useGivenPostgres() ?? (await tryContainer()) ?? (await startEmbedded());
  console.log(`Database tests use ${postgres.name}`);
  return postgres;
}

function useGivenPostgres(): RunningPostgres | null {
  const url = process.env.DATABASE_URL;
  if (!url) return null;
  return { url, name: `DATABASE_URL (${new URL(url).host})`, stop: async () => undefined };
}

async function tryContainer(): Promise<RunningPostgres | null> {
  if (!(await isDockerThere())) return null;
  try {
    return { name: 'PostgreSQL in a container', ...(await startPostgresContainer(SETTINGS)) };
  } catch (error) {
    console.warn(`Docker answers, but its PostgreSQL did not start: ${String(error)}`);
    return null;
  }
}

/** These databases need not survive a power cut. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '450',
};

const PREFIX = 'handover-test-postgres-';

async function startEmbedded(): Promise<RunningPostgres> {
  await removeAbandoned();
  const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const { superuserUrl: url, stop } = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    settings: SETTINGS,
  });
  const remove = () => rm(directory, { recursive: true, force: true });
  return { url, name: 'the embedded PostgreSQL', stop: () => stop().then(remove) };
}

/** A killed run leaves its PostgreSQL running. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : null;
    if (pid === null || isRunning(pid)) continue;
    const directory = join(tmpdir(), name);
    try {
      const options = { directory: join(directory, 'postgres'), settings: SETTINGS };
      await (await startEmbeddedPostgres(options)).stop();
      await rm(directory, { recursive: true, force: true });
    } catch {
      // Another user's, or broken: no reason to fail a run.
    }
  }
}

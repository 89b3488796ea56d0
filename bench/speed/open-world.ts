import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Environment, openShop, PAYMENTS_A_SECRET, type Shop } from '../../checks/chaos/shop.ts';
import { migrate } from '../../packages/adapters-postgres/src/index.ts';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { type MailSink, startMailSink } from './start-mail-sink.ts';
import { type UndoAtEnd, undoAtEnd } from './undo-at-end.ts';

/** Servers, their database and a mail server, each in its own process, and shops that sell on every platform. */
export interface World {
  /** Of everything that is kept in files. */
  readonly directory: string;
  readonly databaseUrl: string;
  /** For queries to PostgreSQL itself. */
  readonly superuserUrl: string;
  readonly databaseLog: string;
  readonly shops: readonly Shop[];
  /** The first of them. */
  readonly shop: Shop;
  readonly mail: MailSink;
  /** The first server, or its replacement: the newest one that takes requests. */
  server(): ServerProcess;
  /** Starts another process of the server. One that is a worker alone has no address. */
  addServer(role?: Role): Promise<ServerProcess>;
  /** Of every process of the server that was started. */
  pids(): readonly number[];
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** What the servers of a world sign their links with. */
export const WORLD_SECRET = 'a-secret-of-the-benches-with-32-letters';

/** What a process does: see the setting `ROLE`. */
export type Role = 'web' | 'worker' | 'all';

export interface WorldOptions {
  readonly shops?: number;
  /** Of the first server. */
  readonly role?: Role;
}

export async function openWorld({
  shops: shopCount = 2,
  role: firstRole = 'all',
}: WorldOptions = {}): Promise<World> {
  const undo = undoAtEnd();
  try {
    const directory = await mkdtemp(join(tmpdir(), `handover-bench-${process.pid}-`));
    undo.later(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    // As `npm start` does: a commit is on disk.
    const database = await undo.opened(
      startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
      ({ stop }) => stop(),
    );
    await migrate(database.url);
    const mail = await undo.opened(startMailSink(), ({ close }) => close());
    const environmentOf = (name: string) => chooseSettings(directory, name, database.url, mail.url);
    const servers = createServers(directory, environmentOf, undo);
    const first = await servers.add(firstRole);
    const open = (number: number) => openShop(environmentOf('server-1'), first.url, `shop-${number}`);
    const shop = await open(1);
    const shops = [shop];
    while (shops.length < shopCount) shops.push(await open(shops.length + 1));
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    undo.later(() => pool.end());
    return {
      directory,
      databaseUrl: database.url,
      superuserUrl: database.superuserUrl,
      databaseLog: join(directory, 'postgres', 'postgres.log'),
      shops,
      shop,
      mail,
      server: () => servers.newest() ?? first,
      addServer: servers.add,
      pids: servers.pids,
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
      close: undo.all,
    };
  } catch (error) {
    await undo.all();
    throw error;
  }
}

function createServers(directory: string, environmentOf: (name: string) => Environment, undo: UndoAtEnd) {
  const started: ServerProcess[] = [];
  const serving: ServerProcess[] = [];
  return {
    /** The newest one that takes requests. */
    newest: () => serving.at(-1),
    pids: () => started.map(({ pid }) => pid),
    add: async (role: Role = 'all'): Promise<ServerProcess> => {
      const name = `server-${started.length + 1}`;
      await mkdir(join(directory, name));
      // The owner of the first shop sees the pages of the installation, too.
      const environment = { ...environmentOf(name), ROLE: role, OPERATOR_EMAILS: 'owner@shop-1.test' };
      const starting = startServer(environment, join(directory, `${name}.log`));
      const server = await undo.opened(starting, ({ thaw, stop }) => {
        thaw();
        return stop();
      });
      started.push(server);
      if (role !== 'worker') serving.push(server);
      return server;
    },
  };
}

/** The settings of a server that keeps what is its own in a folder of this name. */
export function chooseSettings(
  directory: string,
  name: string,
  databaseUrl: string,
  smtpUrl: string,
): Environment {
  return {
    DATA_DIR: join(directory, name),
    DATABASE_URL: databaseUrl,
    HANDOVER_SECRET: WORLD_SECRET,
    FILES_URL: `file://${directory}/files`,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'orders@bench.test',
    PAYMENTS_A_SIGNING_SECRET: PAYMENTS_A_SECRET,
    MAX_MAILS_PER_HOUR: '1000000',
  };
}

/** Opens a world for the duration of this work. */
export async function inWorld(options: WorldOptions, work: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld(options);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

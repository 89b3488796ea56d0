import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startServer } from '../../apps/server/test/support/server-process.ts';
import { listPurchases } from '../../apps/server/test/support/shop.ts';
import { query } from '../../test/query.ts';
import { asPostgres, isPrimary, makeDirectory, startCluster } from './cluster.ts';
import { install, sendOrders } from './installation.ts';

const ORDERS = 120;
const EVERY_MS = 50;

test('a lost database comes back to a moment between two orders, by the commands of docs/backup.md', async () => {
  const directory = await makeDirectory();
  const config = join(directory, 'pgbackrest.conf');
  // PostgreSQL runs it, too.
  process.env.PGBACKREST_CONFIG = config;
  const docs = readDocs();
  const cluster = await startCluster({ ...docs.settings, unix_socket_directories: directory });
  const text = docs.config
    .replace('[global]', `[global]\nlog-path=${directory}\nlock-path=${directory}`)
    .replace('/srv/pgbackrest', join(directory, 'repository'))
    .replace('/var/lib/postgresql/18/main', cluster.data);
  const own = `pg1-port=${cluster.port}\npg1-socket-path=${directory}\n`;
  await writeFile(config, `${text}${own}`);
  const before = docs.commands.filter((line) => !/ (incr|restore)\b|=incr/.test(line));
  const [incremental = ''] = docs.commands.filter((line) => line.includes('--type=incr'));
  const [restore = ''] = docs.commands.filter((line) => line.endsWith(' restore'));
  for (const line of before) await runAsPostgres(line);

  const installed = await install(cluster.url);
  let moment = { at: '', accepted: 0 };
  let backup: Promise<unknown> = Promise.resolve();
  await sendOrders(installed, { count: ORDERS, everyMs: EVERY_MS }, (n) => {
    if (n === ORDERS / 4) backup = runAsPostgres(incremental);
    if (n === ORDERS / 2)
      backup = Promise.all([backup, readMoment(cluster.url).then((read) => (moment = read))]);
  });
  await backup;
  // As `archive_timeout` does within a minute. The servers go on, and write to the next file.
  const [last] = await query<{ readonly file: string }>(
    cluster.url,
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await expect.poll(() => isArchived(cluster.url, last?.file ?? '')).toBe(true);
  expect(await Promise.all([installed.web.end(), installed.worker.end()])).toEqual([0, 0]);
  expect(moment.accepted).toBeGreaterThan(0);

  await cluster.stop('immediate');
  await rm(cluster.data, { recursive: true, force: true });
  await asPostgres('mkdir', '--mode=700', cluster.data);
  await runAsPostgres(restore.replace(/--target='[^']+'/, `--target='${moment.at}'`));
  await cluster.start();
  await expect.poll(() => isPrimary(cluster)).toBe(true);

  // Nothing before the moment is lost, and nothing later is there.
  const [found] = await query(cluster.url, COUNTS, [moment.at]);
  console.log(`accepted before ${moment.at}: ${moment.accepted}; there again: ${found?.entries} entries`);
  expect(found?.entries).toBeGreaterThanOrEqual(moment.accepted);
  expect(found?.entries).toBeLessThan(ORDERS);
  expect(found?.later).toBe(0);

  // The shop sends all of them again, and each is bought once.
  const web = await startServer(installed.environment);
  await sendOrders({ web, shop: installed.shop }, { count: ORDERS, everyMs: 0 });
  const purchases = () => listPurchases(web.url, installed.shop.apiKey);
  await expect.poll(async () => (await purchases()).length).toBe(ORDERS);
});

const COUNTS = `select
  count(*) filter (where received_at <= $1::timestamptz)::integer as entries,
  count(*) filter (where received_at > $1::timestamptz)::integer as later
  from deliveries`;

/** A moment of the database, and how many orders it has then. */
async function readMoment(url: string) {
  const [row] = await query<{ readonly at: string; readonly accepted: number }>(
    url,
    `select clock_timestamp()::text as at, (select count(*)::integer from deliveries) as accepted`,
  );
  if (!row) throw new Error('A statement without conditions found no row.');
  return row;
}

async function isArchived(url: string, file: string): Promise<boolean> {
  const [row] = await query<{ readonly done: boolean }>(
    url,
    'select last_archived_wal >= $1 as done from pg_stat_archiver',
    [file],
  );
  return row?.done === true;
}

/** The settings and commands of the section, as an operator reads them. */
function readDocs() {
  const docs = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');
  const [, section = ''] = docs.split('## Big installations: continuous archiving');
  const blocks = [...section.matchAll(/```(ini|sh)\n([\s\S]*?)```/g)];
  const [config = '', settings = ''] = blocks.filter(([, kind]) => kind === 'ini').map(([, , text]) => text);
  const commands = blocks
    .filter(([, kind]) => kind === 'sh')
    .flatMap(([, , text = '']) => text.split('\n'))
    .filter((line) => line.startsWith('pgbackrest '))
    .map((line) => line.replace(/\s+#.*$/, ''));
  const pairs = [...settings.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { config, settings: Object.fromEntries(pairs) as Record<string, string>, commands };
}

async function runAsPostgres(command: string): Promise<void> {
  await promisify(execFile)('runuser', ['-u', 'postgres', '--', 'sh', '-c', command]);
}

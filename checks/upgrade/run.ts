import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeOrders } from '../../bench/speed/make-orders.ts';
import { printMetric, printNote } from '../../bench/speed/metrics.ts';
import { chooseSettings } from '../../bench/speed/open-world.ts';
import { seedWithoutIndexes } from '../../bench/speed/seed-without-indexes.ts';
import { startServer } from '../../bench/speed/server-process.ts';
import { startMailSink } from '../../bench/speed/start-mail-sink.ts';
import { undoAtEnd } from '../../bench/speed/undo-at-end.ts';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.ts';
import { query } from '../../test/query.ts';
import { openShop } from '../chaos/shop.ts';
import { openCurrentProgram, openFormerProgram, type Program } from './former-program.ts';
import { keepLogs } from './keep-logs.ts';
import { upgradeMajorVersion } from './major-version.ts';
import { migrateSamples } from './migrate-samples.ts';
import { type LoadCounts, startLoad } from './sell-through.ts';
import { watchLocks } from './watch-locks.ts';

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    from: { type: 'string' },
  },
});
const purchases = Number(values.purchases);
/** Among them the one that orders come from. */
const SHOPS = 20;
const phaseMs = Number(values.seconds) * 1000;

const undo = undoAtEnd();

try {
  await upgradeUnderLoad();
  await upgradeMajorVersion(openCurrentProgram(), Math.min(purchases, 100_000));
} finally {
  await undo.all();
}

/** Two versions sell side by side while the newer one migrates the database of the former. */
async function upgradeUnderLoad(): Promise<void> {
  const installation = await openInstallation();
  const { directory, former, current, database, mail, start } = installation;
  const [first, second] = [await start(former), await start(former)];
  const shop = await openShop(installation.environment, first.url, 'lumen', former.run);
  const seeding = performance.now();
  await seedWithoutIndexes(database.superuserUrl, { shops: [shop] }, SHOPS, purchases);
  const seconds = Math.round((performance.now() - seeding) / 1000);
  printNote(`from ${former.name} to ${current.name}, with ${purchases} purchases, filled in ${seconds} s`);

  const load = startLoad(makeOrders([shop], ['storefront-a', 'storefront-b', 'checkout-a']));
  let refused = 0;
  const report = (phase: string) => {
    refused += printPhase(phase, load.takeCounts());
  };
  load.join(first.url);
  load.join(second.url);
  await pause(phaseMs);
  report('former version');

  const locks = await watchLocks(database.superuserUrl);
  const migrations = await migrate(installation);
  report('handover migrate');
  await migrateSamples(database.superuserUrl, (text) => printNote(`  ${text}`));
  report('a migration of each kind on every purchase');
  const longest = await locks.end();

  const third = await start(current);
  load.join(third.url);
  await load.leave(first.url);
  await first.stop();
  const restarted = await start(former);
  load.join(restarted.url);
  await pause(phaseMs);
  report('both versions, and one of the former restarted');
  const fourth = await start(current);
  load.join(fourth.url);
  for (const server of [second, restarted]) {
    await load.leave(server.url);
    await server.stop();
  }
  await pause(phaseMs);
  report('this version');

  const { buyers, lost } = await load.finish();
  report('the end');
  const { mailed } = await mail.waitFor(buyers, 120_000);
  printMetric('migrations', migrations, '', { atLeast: 1 });
  printMetric('orders', buyers.length, '', { atLeast: 1 });
  printMetric('refused at first', refused, '', { atMost: 0 });
  printMetric('refused at each repeat', lost, '', { atMost: 0 });
  printMetric('orders without a receipt', buyers.length - mailed, '', { atMost: 0 });
  printMetric('purchases of the shop', await countPurchases(database.url, shop.orgId), '');
  printMetric('longest wait for a lock of a migration', longest / 1000, ' s', { atMost: 1 });
  if (refused > 0 || buyers.length > mailed) printNote(await keepLogs(directory));
}

/** Both programs, and a database of the former. Servers start one after the other, each with a folder of its own. */
async function openInstallation() {
  const directory = await mkdtemp(join(tmpdir(), `handover-upgrade-${process.pid}-`));
  undo.later(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const former = await openFormerProgram(directory, values.from ?? null);
  const current = openCurrentProgram();
  const database = await undo.opened(
    startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
    ({ stop }) => stop(),
  );
  const mail = await undo.opened(startMailSink(), ({ close }) => close());
  const environmentOf = async (name: string) => {
    await mkdir(join(directory, name));
    return chooseSettings(directory, name, database.url, mail.url);
  };
  let started = 0;
  const start = async ({ command }: Program) => {
    started += 1;
    const name = `server-${started}`;
    const starting = startServer(await environmentOf(name), join(directory, `${name}.log`), command);
    return undo.opened(starting, ({ stop }) => stop());
  };
  const environment = await environmentOf('commands');
  await former.run(environment, ['migrate']);
  return { directory, former, current, database, mail, start, environment };
}

/** Returns how many migrations there were. */
async function migrate({ current, environment }: Awaited<ReturnType<typeof openInstallation>>) {
  const { applied } = await current.run<{ applied: readonly { name: string; milliseconds: number }[] }>(
    environment,
    ['migrate'],
  );
  for (const { name, milliseconds } of applied) printNote(`  ${name}: ${(milliseconds / 1000).toFixed(1)} s`);
  return applied.length;
}

/** Returns how many orders were refused at first. */
function printPhase(phase: string, { accepted, refused, slowestMs }: LoadCounts): number {
  const slowest = Math.round(slowestMs);
  printNote(`${phase}: ${accepted} accepted, ${refused.length} refused at first, slowest ${slowest} ms`);
  for (const refusal of refused) printNote(`  ${refusal}`);
  return refused.length;
}

async function countPurchases(url: string, orgId: string): Promise<number> {
  const [sold] = await query<{ purchases: number }>(
    url,
    'select count(*)::integer as purchases from purchases where org_id = $1',
    [orgId],
  );
  return sold?.purchases ?? 0;
}

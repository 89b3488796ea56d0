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
import { startLoad } from './sell-through.ts';
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
  const directory = await mkdtemp(join(tmpdir(), `handover-upgrade-${process.pid}-`));
  undo.later(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const former = await openFormerProgram(directory, values.from ?? null);
  const current = openCurrentProgram();
  const database = await undo.opened(
    startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
    ({ stop }) => stop(),
  );
  const mail = await undo.opened(startMailSink(), ({ close }) => close());
  const environmentOf = (name: string) => chooseSettings(directory, name, database.url, mail.url);
  let started = 0;
  const start = async ({ command }: Program) => {
    started += 1;
    const name = `server-${started}`;
    await mkdir(join(directory, name));
    const starting = startServer(environmentOf(name), join(directory, `${name}.log`), command);
    return undo.opened(starting, ({ stop }) => stop());
  };

  await mkdir(join(directory, 'commands'));
  await former.run(environmentOf('commands'), ['migrate']);
  const [first, second] = [await start(former), await start(former)];
  const shop = await openShop(environmentOf('commands'), first.url, 'lumen', former.run);
  const seeding = performance.now();
  await seedWithoutIndexes(database.superuserUrl, { shops: [shop] }, SHOPS, purchases);
  const seconds = Math.round((performance.now() - seeding) / 1000);
  printNote(`from ${former.name} to ${current.name}, with ${purchases} purchases, filled in ${seconds} s`);

  const load = startLoad(makeOrders([shop], ['storefront-a', 'storefront-b', 'checkout-a']));
  let refused = 0;
  const report = (phase: string) => {
    const counts = load.takeCounts();
    refused += counts.refused.length;
    printNote(
      `${phase}: ${counts.accepted} accepted, ${counts.refused.length} refused at first, slowest ${Math.round(counts.slowestMs)} ms`,
    );
    for (const refusal of counts.refused) printNote(`  ${refusal}`);
  };
  load.join(first.url);
  load.join(second.url);
  await pause(phaseMs);
  report('former version');

  const locks = await watchLocks(database.superuserUrl);
  const { applied } = await current.run<{ applied: readonly { name: string; milliseconds: number }[] }>(
    environmentOf('commands'),
    ['migrate'],
  );
  for (const { name, milliseconds } of applied) printNote(`  ${name}: ${(milliseconds / 1000).toFixed(1)} s`);
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
  const [sold] = await query<{ purchases: number }>(
    database.url,
    'select count(*)::integer as purchases from purchases where org_id = $1',
    [shop.orgId],
  );
  printMetric('migrations', applied.length, '', { atLeast: 1 });
  printMetric('orders', buyers.length, '', { atLeast: 1 });
  printMetric('refused at first', refused, '', { atMost: 0 });
  printMetric('refused at each repeat', lost, '', { atMost: 0 });
  printMetric('orders without a receipt', buyers.length - mailed, '', { atMost: 0 });
  printMetric('purchases of the shop', sold?.purchases ?? 0, '');
  printMetric('longest wait for a lock of a migration', longest / 1000, ' s', { atMost: 1 });
  if (refused > 0 || buyers.length > mailed) printNote(await keepLogs(directory));
}

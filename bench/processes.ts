// Whole orders with 1, 2 and 4 web processes and as many workers on one database: npm run bench -- processes [--seconds N]
import { cpus, loadavg } from 'node:os';
import { printCpuTime, readCpuTime } from './speed/cpu-time.ts';
import { ALL_PLATFORMS, prepareOrders, signEach } from './speed/make-orders.ts';
import { waitForMails, warmUp } from './speed/measure-webhooks.ts';
import { formatFailures, printMetric, printNote } from './speed/metrics.ts';
import { inWorld, type World } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sendAtOnce } from './speed/send-requests.ts';
import type { ServerProcess } from './speed/server-process.ts';
import { sharedNow } from './speed/shared-now.ts';

const MAX_PER_SECOND = 2_000;
const { seconds } = readOptions({ seconds: 10 });
const cores = cpus().length;

printNote(`load before: ${loadavg()[0]?.toFixed(1)} on ${cores} cores`);
for (const count of [1, 2, 4]) {
  // The load, the mail server and PostgreSQL need cores as well.
  if (count * 4 > cores)
    printNote(
      `${count} web and ${count} worker processes on ${cores} cores: they share them, so this shows only that they work together`,
    );
  await inWorld({ role: 'web' }, async (world) => {
    const web = [world.server()];
    while (web.length < count) web.push(await world.addServer('web'));
    for (let workers = 0; workers < count; workers += 1) await world.addServer('worker');
    await warmUp(world);
    world.mail.forget();
    await measure(world, web);
  });
}

async function measure(world: World, web: readonly ServerProcess[]): Promise<void> {
  const accepted: string[] = [];
  const before = await readCpuTime(world);
  const began = sharedNow();
  const sent = await Promise.all(
    web.map(({ url }) => {
      const orders = prepareOrders(
        world.shops,
        ALL_PLATFORMS,
        Math.ceil((seconds * MAX_PER_SECOND) / web.length),
      );
      return sendAtOnce(url, signEach(orders), seconds, (at) => accepted.push(orders[at]?.email ?? ''));
    }),
  );
  const lastAt = await waitForMails(world.mail, accepted);
  const name = `whole orders, with ${web.length} web and ${web.length} worker processes`;
  await printCpuTime(world, before, accepted.length, name);
  printMetric(name, accepted.length / ((lastAt - began) / 1000), '/s');
  const purchases = await world.query<{ readonly count: number }>(
    'select count(*)::integer as count from (select distinct connection_id, order_id from purchases) bought',
  );
  printNote(`orders with a purchase: ${purchases[0]?.count}, with those to warm up`);
  for (const { failures } of sent) if (failures.size > 0) printNote(`  refused: ${formatFailures(failures)}`);
}

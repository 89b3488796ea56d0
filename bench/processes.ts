// Whole orders with 1, 2 and 4 processes on one database: npm run bench -- processes [--seconds N]
import { cpus } from 'node:os';
import { ALL_PLATFORMS, type BenchOrder, prepareOrders } from './speed/make-orders.ts';
import { waitForMails, warmUp } from './speed/measure-webhooks.ts';
import { formatFailures, printFigure, printNote } from './speed/metrics.ts';
import { inWorld } from './speed/open-world.ts';
import { readOptions } from './speed/read-options.ts';
import { sendAtOnce } from './speed/send-requests.ts';
import { sharedNow } from './speed/shared-now.ts';

const MAX_PER_SECOND = 2_000;
const { seconds } = readOptions({ seconds: 10 });
const cores = cpus().length;

for (const count of [1, 2, 4]) {
  // The load, the mail server and PostgreSQL need cores as well.
  if (count * 2 > cores)
    printNote(
      `${count} processes on ${cores} cores: they share them, so this shows only that they work together`,
    );
  await inWorld({}, async (world) => {
    const servers = [world.server()];
    while (servers.length < count) servers.push(await world.addServer());
    await warmUp(world);
    world.mail.forget();
    const accepted: string[] = [];
    const began = sharedNow();
    const sent = await Promise.all(
      servers.map(({ url }) => {
        const orders = prepareOrders(
          world.shops,
          ALL_PLATFORMS,
          Math.ceil((seconds * MAX_PER_SECOND) / count),
        );
        return sendAtOnce(url, makeRequests(orders), seconds, (at) => accepted.push(orders[at]?.email ?? ''));
      }),
    );
    const lastAt = await waitForMails(world.mail, accepted);
    printFigure(`whole orders, with ${count} processes`, accepted.length / ((lastAt - began) / 1000), '/s');
    for (const { failures } of sent)
      if (failures.size > 0) printNote(`  refused: ${formatFailures(failures)}`);
  });
}

/** Signed when it is sent: some platforms sign the time. */
function* makeRequests(orders: readonly BenchOrder[]): Generator<Buffer> {
  for (const order of orders) yield order.makeRequest();
}

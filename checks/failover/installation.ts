import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type MailServer,
  receiptsAmong,
  startMailServer,
} from '../../apps/server/test/support/mail-server.ts';
import {
  type Environment,
  runCli,
  type ServerProcess,
  startServer,
} from '../../apps/server/test/support/server-process.ts';
import {
  listPurchases,
  makeInstallation,
  type OpenShop,
  openShop,
  sendOrder,
} from '../../apps/server/test/support/shop.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';

/** A web process, a worker, a mail server and a shop. */
export interface Installation {
  readonly environment: Environment;
  readonly mailServer: MailServer;
  readonly web: ServerProcess;
  readonly worker: ServerProcess;
  readonly shop: OpenShop;
}

export async function install(databaseUrl: string, settings: Environment = {}): Promise<Installation> {
  const mailServer = await startMailServer();
  const port = String(await findFreePort());
  const environment = {
    ...(await makeInstallation(mailServer, databaseUrl)),
    PORT: port,
    SITE_URL: `http://localhost:${port}`,
    ...settings,
  };
  const { code, stderr } = await runCli(environment, ['migrate']);
  if (code !== 0) throw new Error(stderr);
  const [web, worker] = await Promise.all([
    startServer({ ...environment, ROLE: 'web' }),
    startServer({ ...environment, ROLE: 'worker' }),
  ]);
  return { environment, mailServer, web, worker, shop: await openShop(environment, web.url) };
}

/**
 * Sends orders as a shop does, each again until it gets a 2xx, one every `everyMs`. Resolves with the time that the
 * slowest one took, and the statuses of all refusals; 0 is a broken connection.
 */
export async function sendOrders(
  { web, shop }: Pick<Installation, 'web' | 'shop'>,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
  onOrder: (n: number) => unknown = () => undefined,
): Promise<{ readonly slowestMs: number; readonly refusals: readonly number[] }> {
  const refusals: number[] = [];
  const sell = async (n: number) => {
    const began = performance.now();
    for (;;) {
      const email = `buyer-${n}@example.com`;
      const status = await sendOrder(web.url, shop.orgId, `order-${n}`, { email }).then(
        (sent) => sent.status,
        () => 0,
      );
      if (status === 200) return performance.now() - began;
      refusals.push(status);
      await pause(200);
    }
  };
  const running: Promise<number>[] = [];
  for (let n = 0; n < count; n += 1) {
    running.push(sell(n));
    onOrder(n);
    await pause(everyMs);
  }
  return { slowestMs: Math.max(...(await Promise.all(running))), refusals };
}

/** Each of so many orders was bought once, and its buyer has a receipt. Returns the receipts. */
export async function expectEachBought(
  { web, shop, mailServer }: Pick<Installation, 'web' | 'shop' | 'mailServer'>,
  count: number,
): Promise<ReturnType<typeof receiptsAmong>> {
  const receipts = receiptsAmong(await mailServer.waitForMails(count));
  expect(new Set(receipts.map(({ to }) => to?.[0]?.address)).size).toBe(count);
  const purchases = await listPurchases(web.url, shop.apiKey);
  expect(new Set(purchases.map(({ orderId }) => orderId)).size).toBe(count);
  expect(purchases).toHaveLength(count);
  return receipts;
}

/** Commands that read everything work beside the servers. Returns the folder of an export. */
export async function expectCommandsWork(environment: Environment): Promise<string> {
  const folder = join(await makeTemporaryDirectory(), 'copy');
  for (const words of [
    ['export', folder],
    ['org', 'list'],
    ['secret', 'status'],
    ['unassigned', 'list'],
  ])
    expect([words, await runCli(environment, words)]).toEqual([words, expect.objectContaining({ code: 0 })]);
  return folder;
}

/** What `/readyz` says. */
export async function readReadiness(
  url: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
}

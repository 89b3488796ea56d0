import { setTimeout as pause } from 'node:timers/promises';
import { type MailServer, startMailServer } from '../../apps/server/test/support/mail-server.ts';
import {
  type Environment,
  runCli,
  type ServerProcess,
  startServer,
} from '../../apps/server/test/support/server-process.ts';
import { makeInstallation, type OpenShop, openShop, sendOrder } from '../../apps/server/test/support/shop.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';

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

/** What `/readyz` says. */
export async function readReadiness(
  url: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
}

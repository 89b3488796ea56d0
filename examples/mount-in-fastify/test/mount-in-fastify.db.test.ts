import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { receiptsAmong, startMailServer } from '../../../apps/server/test/support/mail-server.ts';
import { makeInstallation, openShop, sendOrder } from '../../../apps/server/test/support/shop.ts';
import { undoLater } from '../../../test/undo.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

it('a shop with Handover in it delivers an order, and ends by itself once it is closed', async () => {
  const mailServer = await startMailServer();
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const environment = { ...(await makeInstallation(mailServer)), SITE_URL: `${url}/downloads` };
  const env = { ...process.env, ...environment, PORT: `${port}` };
  const shopProcess = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  undoLater(() => shopProcess.kill('SIGKILL'));
  const ended = once(shopProcess, 'exit');
  const [line] = await once(createInterface(shopProcess.stdout), 'line');
  expect(line).toBe(`The shop is at ${url}, its downloads at ${url}/downloads`);

  const { orgId } = await openShop(environment, `${url}/downloads`);
  expect((await sendOrder(`${url}/downloads`, orgId, '1001')).body).toMatchObject({ received: true });
  await mailServer.waitForMails(1);
  const [link = ''] = receiptsAmong(mailServer.mails)[0]?.text?.match(/http\S+\/downloads\/d\/\S+/) ?? [];
  expect((await fetch(link)).status).toBe(200);
  expect(await (await fetch(url)).text()).toBe('Lumen Audio');
  expect(await (await fetch(`${url}/nowhere`)).text()).toBe('Not in this shop');

  shopProcess.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get } from 'node:http';
import { expect, it } from 'vitest';
import { openOwnShop, shareServer } from './support/shared-server.ts';
import { listPurchases, sendOrder, until } from './support/shop.ts';

const content = randomBytes(24_000_000);
const shared = shareServer();

/** A shop that has sold a file of this size, and the URLs behind the buyer's link. */
async function soldShop() {
  const { server, shop } = await openOwnShop(shared(), content);
  await sendOrder(server.url, shop.orgId, '5001');
  const [sale] = await listPurchases(server.url, shop.apiKey);
  const link = sale?.downloadUrl ?? '';
  const token = link.slice(link.lastIndexOf('/') + 1);
  return { server, shop, link, token, file: `${link}/files/1.0/felt-piano.zip` };
}

type SoldShop = Awaited<ReturnType<typeof soldShop>>;

interface Progress {
  readonly session: { readonly id: string; readonly completedAt: string | null } | null;
  readonly files: readonly { readonly sent: number; readonly whole: boolean }[];
}

async function readProgress({ link }: SoldShop): Promise<Progress> {
  return (await fetch(`${link}/progress`)).json() as Promise<Progress>;
}

/** Reads this many bytes of an answer and then breaks the connection. */
function readAndLeave(url: string, bytes: number, headers: Record<string, string> = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      let come = 0;
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        come += chunk.length;
        if (come < bytes) return;
        answer.destroy();
        resolve(Buffer.concat(chunks));
      });
      answer.on('error', () => undefined);
    });
    asking.on('error', reject);
  });
}

it('a download that breaks off is resumed to the identical file, and is one session with one whole file', async () => {
  const sold = await soldShop();
  let have = Buffer.alloc(0);
  for (const share of [0.1, 0.5, 0.99]) {
    const wanted = Math.floor(content.length * share) - have.length;
    const headers = { range: `bytes=${have.length}-`, 'if-range': `"${sha256(content)}"` };
    have = Buffer.concat([have, await readAndLeave(sold.file, wanted, headers)]);
  }
  const headers = { range: `bytes=${have.length}-`, 'if-range': `"${sha256(content)}"` };
  const last = await fetch(sold.file, { headers });
  expect(last.status).toBe(206);
  have = Buffer.concat([have, Buffer.from(await last.arrayBuffer())]);
  expect(sha256(have)).toBe(sha256(content));

  await until(async () => (await readProgress(sold)).files[0]?.whole);
  expect((await listPurchases(sold.server.url, sold.shop.apiKey))[0]).toMatchObject({ downloadUsedAt: null });
  const { session } = await readProgress(sold);
  const said = await Promise.all(Array.from({ length: 5 }, () => sayComplete(sold)));
  for (const answer of said) {
    expect(await answer.json()).toMatchObject({ received: true, sessionId: session?.id });
  }
  const [sale] = await listPurchases(sold.server.url, sold.shop.apiKey);
  expect(sale).toMatchObject({ downloadUsedAt: expect.any(String) });

  const report = await fetch(`${sold.server.url}/api/reports/downloads`, {
    headers: { 'x-api-key': sold.shop.apiKey },
  });
  const [, row, ...more] = (await report.text()).trimEnd().split('\r\n');
  expect(more).toEqual([]);
  expect(row).toMatch(new RegExp(`^${session?.id},.*,companion,1,1,[^,]+$`));
});

it('a token that was changed, is spelled in another way or is of another organisation opens nothing', async () => {
  const sold = await soldShop();
  const { server, shop, token } = sold;
  const other = token.at(-1) === 'A' ? 'B' : 'A';
  const forged = [
    `${token.slice(0, -1)}${other}`,
    `${token}=`,
    `${token}A`,
    token.toLowerCase(),
    token.slice(1),
  ];
  for (const wrong of forged) {
    const link = `${server.url}/d/${wrong}`;
    const addresses = [link, `${link}/files/1.0/felt-piano.zip`, `${link}/progress`];
    const answers = await Promise.all(addresses.map((address) => fetch(address)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await sayComplete({ ...sold, token: wrong })).status).toBe(404);
  }
  const foreign = { ...shop, orgId: '018f0000-0000-7000-8000-000000000000' };
  expect((await sayComplete({ ...sold, shop: foreign })).status).toBe(404);
  expect((await listPurchases(server.url, shop.apiKey))[0]).toMatchObject({ downloadUsedAt: null });
});

it('a client that disconnects leaves no file open and completes none', async () => {
  const sold = await soldShop();
  const readers = await Promise.all(Array.from({ length: 10 }, () => pausedReader(sold.file)));
  await until(async () => (await openFiles(sold)) === 10);
  for (const leave of readers) leave();
  await until(async () => (await openFiles(sold)) === 0);
  await until(async () => (await readProgress(sold)).session);
  expect((await readProgress(sold)).files).toMatchObject([{ whole: false }]);
});

/** Begins to download and stops reading; returns a function that breaks the connection. */
async function pausedReader(url: string): Promise<() => void> {
  const asking = get(url, { agent: false });
  const [answer] = await once(asking, 'response');
  answer.on('error', () => undefined);
  await once(answer, 'readable');
  return () => void answer.destroy();
}

async function openFiles({ server, shop }: SoldShop): Promise<number> {
  const at = `/proc/${server.pid}/fd`;
  const targets = await Promise.all(
    (await readdir(at)).map((fd) => readlink(`${at}/${fd}`).catch(() => 'closed meanwhile')),
  );
  return targets.filter((target) => target.includes(`/${shop.orgId}/`)).length;
}

function sayComplete({ server, shop, token }: SoldShop): Promise<Response> {
  return fetch(`${server.url}/webhooks/${shop.orgId}/download-complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeTemporaryDirectory } from '../../../../test/temporary-directory.ts';
import { startMailServer } from './mail-server.ts';
import type { Environment } from './server-process.ts';
import { listPurchases, makeEmptyDatabase, makeInstallation, sendOrder, until } from './shop.ts';

export const PASSPHRASE = 'four words of a passphrase';
export const sayPassphrase = async () => PASSPHRASE;

/** A new folder that does not exist yet. */
export const nameFolder = async () => join(await makeTemporaryDirectory(), 'export');

/** An installation without any tables. */
export async function makeEmptyInstallation(changes: Environment = {}): Promise<Environment> {
  const mailServer = await startMailServer();
  return { ...(await makeInstallation(mailServer, await makeEmptyDatabase())), ...changes };
}

export async function sell(
  url: string,
  shop: { orgId: string; apiKey: string },
  orderId: string,
): Promise<string> {
  await sendOrder(url, shop.orgId, orderId);
  const sold = await until(async () =>
    (await listPurchases(url, shop.apiKey)).find(
      (one) => one.orderId === orderId && one.receiptSentAt !== null,
    ),
  );
  return new URL(sold.downloadUrl).pathname;
}

export async function download(url: string, link: string): Promise<Buffer> {
  const answer = await fetch(`${url}${link}/files/1.0/felt-piano.zip`);
  if (!answer.ok) throw new Error(`${link}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Every file of an export, as one text. */
export async function decryptAll(folder: string): Promise<string> {
  const { Decrypter } = await import('age-encryption');
  const opener = new Decrypter();
  opener.addPassphrase(PASSPHRASE);
  const decrypter = new Decrypter();
  decrypter.addIdentity((await opener.decrypt(await readFile(join(folder, 'key.age')), 'text')).trim());
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'key.age');
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) =>
      Buffer.from(await decrypter.decrypt(await readFile(join(parentPath, name)))).toString('latin1'),
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  return texts.join('\n');
}

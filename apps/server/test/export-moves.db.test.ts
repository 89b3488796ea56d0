import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startS3 } from '../../../packages/adapters-files/test/start-s3.ts';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { undoLater } from '../../../test/undo.ts';
import {
  download,
  makeEmptyInstallation,
  nameFolder,
  PASSPHRASE,
  sayPassphrase,
  sell,
} from './support/exports.ts';
import { startMailServer } from './support/mail-server.ts';
import { runCli, runCliHere, startServer } from './support/server-process.ts';
import { listPurchases, openShop } from './support/shop.ts';

describe('an encrypted export of everything', () => {
  it('moves an embedded installation to a PostgreSQL and a bucket, and back, with links, keys, secrets and files', async () => {
    const mailServer = await startMailServer();
    const embedded = { DATA_DIR: await makeTemporaryDirectory(), SMTP_URL: mailServer.url };
    let server = await startServer(embedded);
    const shop = await openShop(embedded, server.url);
    const link = await sell(server.url, shop, '1001');
    const folder = await nameFolder();
    // Beside the running server.
    const exported = await runCliHere(embedded, ['export', folder, '--encrypt'], sayPassphrase);
    expect([exported.code, exported.stdout]).toEqual([
      0,
      expect.stringMatching(/^Exported \d+ rows and 3 files/),
    ]);
    await server.end();

    const s3 = await startS3();
    undoLater(s3.stop);
    const { endpoint, bucket, credentials } = s3.place;
    const bucketSettings = {
      FILES_URL: `s3://${bucket}/handover?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      AWS_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    };
    const own = await makeEmptyInstallation({ ...bucketSettings, SMTP_URL: mailServer.url });
    const without = await runCliHere(own, ['import', folder], sayPassphrase);
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/HANDOVER_SECRET must hold the secret of the export.*--write-secret/s),
    ]);
    const secretFile = join(await makeTemporaryDirectory(), 'secret');
    expect(
      (await runCliHere(own, ['import', folder, '--write-secret', secretFile], sayPassphrase)).code,
    ).toBe(0);
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    const HANDOVER_SECRET = `${own.HANDOVER_SECRET},${(await readFile(secretFile, 'utf8')).trim()}`;
    const moved = { ...own, HANDOVER_SECRET };
    const imported = await runCli(
      moved,
      ['import', folder, '--passphrase-stdin', '--json'],
      `${PASSPHRASE}\n`,
    );
    expect([imported.code, imported.stderr, JSON.parse(imported.stdout)]).toEqual([
      0,
      '',
      expect.objectContaining({ files: 3, organisation: null }),
    ]);
    server = await startServer(moved);
    expect(await download(server.url, link)).toEqual(Buffer.from(shop.file));
    await sell(server.url, shop, '1002');
    await server.end();

    // Back again, from the bucket to the disk.
    const second = await nameFolder();
    const words = ['export', second, '--passphrase-stdin', '--json'];
    expect((await runCli(moved, words, PASSPHRASE)).code).toBe(0);
    const back = { DATA_DIR: await makeTemporaryDirectory(), SMTP_URL: mailServer.url };
    const restored = await runCliHere(back, ['import', second], sayPassphrase);
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/Its secret is in .*secret/)]);
    server = await startServer(back);
    expect(await download(server.url, link)).toEqual(Buffer.from(shop.file));
    expect(await listPurchases(server.url, shop.apiKey)).toHaveLength(2);
    await sell(server.url, shop, '1003');
  });
});

import { createDiskFileStore } from '@handover/adapters-files';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import { openExport } from '../src/transfer/export-folder.ts';
import { importInstallation } from '../src/transfer/import-installation.ts';
import { makeEmptyInstallation, nameFolder, sayPassphrase } from './support/exports.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson } from './support/server-process.ts';
import { shareServer } from './support/shared-server.ts';
import { openShop } from './support/shop.ts';

const installation = shareServer();
const SILENT = { onTable: () => undefined, onBytes: () => undefined };

const exported = shareInFile(async () => {
  const { environment, server } = installation();
  const shop = await openShop(environment, server.url, 'import@lumen.test');
  const folder = await nameFolder();
  await runCliForJson(environment, ['export', folder]);
  return { shop, open: () => openExport(folder, sayPassphrase) };
});

it.each([
  'handover 0123abcd pages',
  // A process that answers requests only, and gets none but those of a load balancer.
  'handover readiness',
])(
  'an import is refused if a server (%s) has started while its files were stored, which takes long',
  async (name) => {
    const { DATABASE_URL: databaseUrl = '' } = await makeEmptyInstallation();
    const starting = new pg.Client({ connectionString: databaseUrl, application_name: name });
    onTestFinished(() => starting.end());
    const files = {
      open: async () => null,
      store: async (_orgId: string, content: AsyncIterable<Uint8Array>) => {
        for await (const _chunk of content);
        await starting.connect();
        return { size: 0, sha256: '' };
      },
    };
    const reader = await exported().open();
    await expect(importInstallation(reader, { databaseUrl, files }, SILENT)).rejects.toThrow(
      /A server works on this database/,
    );
    const { rows } = await (await openDatabase(databaseUrl)).query('select from organisations');
    expect(rows).toEqual([]);
  },
);

it('an import keeps a file that a former try has stored from being removed before a row refers to it', async () => {
  const { shop, open } = exported();
  const { DATABASE_URL: databaseUrl = '' } = await makeEmptyInstallation();
  const files = createDiskFileStore(await makeTemporaryDirectory());
  const inOnePiece = async function* () {
    yield Buffer.from(shop.file);
  };
  const { sha256 } = await files.store(shop.orgId, inOnePiece());
  let isKept = false;
  const keep = async () => {
    isKept = true;
    return 'kept' as const;
  };
  // Another process removes what nobody keeps, while the import goes on with its next file.
  const onBytes = async () => {
    if (!isKept) await files.remove(shop.orgId, sha256);
  };
  await importInstallation(await open(), { databaseUrl, files, keep }, { ...SILENT, onBytes });
  expect(await files.open(shop.orgId, sha256)).not.toBeNull();
});

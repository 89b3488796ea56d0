import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openExport } from '../src/transfer/export-folder.ts';
import { importInstallation } from '../src/transfer/import-installation.ts';
import { makeEmptyInstallation, nameFolder, sayPassphrase } from './support/exports.ts';
import { openDatabase } from './support/open-database.ts';
import { runCliForJson } from './support/server-process.ts';
import { shareServer } from './support/shared-server.ts';
import { openShop } from './support/shop.ts';

const installation = shareServer();
const SILENT = { onTable: () => undefined, onBytes: () => undefined };

it('an import is refused if a server has started while its files were stored, which takes long', async () => {
  const { environment, server } = installation();
  await openShop(environment, server.url, 'import@lumen.test');
  const folder = await nameFolder();
  await runCliForJson(environment, ['export', folder]);

  const { DATABASE_URL: databaseUrl = '' } = await makeEmptyInstallation();
  const starting = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'handover 0123abcd pages',
  });
  onTestFinished(() => starting.end());
  const files = {
    open: async () => null,
    store: async (_orgId: string, content: AsyncIterable<Uint8Array>) => {
      for await (const _chunk of content);
      await starting.connect();
      return { size: 0, sha256: '' };
    },
  };
  const reader = await openExport(folder, sayPassphrase);
  await expect(importInstallation(reader, { databaseUrl, files }, SILENT)).rejects.toThrow(
    /A server works on this database/,
  );
  const { rows } = await (await openDatabase(databaseUrl)).query('select from organisations');
  expect(rows).toEqual([]);
});

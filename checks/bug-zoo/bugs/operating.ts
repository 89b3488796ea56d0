import type { Bug } from '../bug.ts';

const IMPORTS = ['apps/server/test/import-beside-others.db.test.ts'];

/** What a program does with its machine, its files and its end. */
export const OPERATING_BUGS: readonly Bug[] = [
  {
    name: 'parent-is-gone-without-file-handles',
    rule: 'A look at the parent that fails for want of file handles ends nothing.',
    file: 'apps/server/src/serve/exit-with-parent.ts',
    find: '    if (isShortage(error)) throw error;\n',
    replace: '    void isShortage(error);\n',
    seenBy: ['apps/server/test/exit-with-parent.test.ts'],
  },
  {
    name: 'postmaster-is-gone-without-file-handles',
    rule: 'A look at a process that fails for want of file handles does not say that it has ended.',
    file: 'packages/embedded-postgres/src/find-embedded-postgres.ts',
    find: "    if (hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw error;\n",
    replace: '    void error;\n',
    seenBy: ['packages/embedded-postgres/test/few-handles.test.ts'],
  },
  {
    name: 'full-disk-of-the-log-ends-the-server',
    rule: 'The service goes on while its log cannot be written.',
    file: 'apps/server/src/serve/log.ts',
    find: "  output.on('error', () => undefined);\n",
    replace: '',
    seenBy: ['apps/server/test/log.test.ts'],
  },
  {
    name: 'pipelined-request-is-cut',
    rule: 'A connection is idle after the last of the requests that were sent together.',
    file: 'apps/server/src/serve/drain-server.ts',
    find: 'if (requests.get(socket) === request) requests.set(socket, null);',
    replace: 'if (requests.has(socket)) requests.set(socket, null);',
    seenBy: ['apps/server/test/watch-connections.test.ts'],
  },
  {
    name: 'start-fails-for-ever',
    rule: 'A start that failed in an outage can be repeated.',
    file: 'apps/server/src/composition/assemble-handover.ts',
    find: '      opening = null;\n',
    replace: '',
    seenBy: ['apps/server/test/start-again.test.ts'],
  },
  {
    name: 'library-of-the-bucket-is-lost-for-ever',
    rule: 'What could not be loaded once is loaded by the next call.',
    file: 'packages/adapters-files/src/s3-bucket.ts',
    find: '      opened = null;\n',
    replace: '',
    seenBy: ['packages/adapters-files/test/few-handles.test.ts'],
  },
  {
    name: 'import-beside-a-server-that-started-meanwhile',
    rule: 'Nothing is imported under a server, however late it has started.',
    file: 'apps/server/src/transfer/import-installation.ts',
    find: '  await refuseServed(manifest, databaseUrl);\n  const tables',
    replace: '  const tables',
    seenBy: IMPORTS,
  },
  {
    name: 'import-relies-on-a-file-that-nobody-keeps',
    rule: 'A file that is stored already is kept before an import relies on it.',
    file: 'apps/server/src/transfer/import-installation.ts',
    find: 'await keep?.({ orgId: file.orgId, sha256: file.sha256 });',
    replace: "keep ? 'kept' : null;",
    seenBy: IMPORTS,
  },
  {
    name: 'source-of-the-future-is-built-for-ever',
    rule: 'A start builds again only what has changed meanwhile.',
    file: 'bin/handover',
    find: ' && stat.mtimeMs <= until',
    replace: '',
    seenBy: ['scripts/test/launcher.test.ts'],
    tests: 'in the future',
  },
];

import { claimDataDir } from '../../src/data-dir-lock.ts';

// For every line it reads, claims the data directory and answers in one line of JSON. It never releases.
const [dataDir = '', what = ''] = process.argv.slice(2);
process.stdout.write('"here"\n');
process.stdin.setEncoding('utf8').on('data', async () => {
  const claim = await claimDataDir(dataDir, { kind: 'server', what });
  process.stdout.write(`${JSON.stringify(claim)}\n`);
});

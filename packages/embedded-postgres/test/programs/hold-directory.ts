import { claimDirectory } from '../../src/claim-directory.ts';

// For every line it reads, claims the data directory and answers in one line of JSON. It never releases.
const [directory = '', what = ''] = process.argv.slice(2);
process.stdout.write('"here"\n');
process.stdin.setEncoding('utf8').on('data', async () => {
  const claim = await claimDirectory(directory, { kind: 'server', what });
  process.stdout.write(`${JSON.stringify(claim)}\n`);
});

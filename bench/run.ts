// npm run bench -- NAME [SIZE], or [--OPTION NUMBER]
const [, , name = ''] = process.argv;
const benches = [
  'accept',
  'inline',
  'orders',
  'burst',
  'fairness',
  'frozen',
  'list',
  'report',
  'api',
  'big',
  'start',
  'files',
  'downloads',
  'upload-file',
  'dashboard',
  'pages',
  'webhook-bodies',
  'attack',
  'processes',
];
if (benches.includes(name)) await import(`./${name}.ts`);
else {
  console.error(`Say which: ${benches.join(', ')}.`);
  process.exitCode = 1;
}

// npm run bench -- NAME [SIZE]
const [, , name = ''] = process.argv;
const benches = [
  'start',
  'lists',
  'downloads',
  'upload-file',
  'webhook-log',
  'dashboard',
  'webhook-bodies',
  'attack',
];
if (benches.includes(name)) await import(`./${name}.ts`);
else {
  console.error(`Say which: ${benches.join(', ')}.`);
  process.exitCode = 1;
}

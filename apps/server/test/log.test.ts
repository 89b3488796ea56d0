import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

const LOG = new URL('../src/serve/log.ts', import.meta.url).href;

function write(statements: string): string {
  return `import { createLog } from ${JSON.stringify(LOG)}; const log = createLog(); ${statements}`;
}

function run(statements: string) {
  return spawn(process.execPath, ['--input-type=module', '--eval', write(statements)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

it.each(['process.exit(3)', 'process.exitCode = 3'])(
  'loses no line when the process ends by %s',
  async (end) => {
    const child = run(`for (let at = 0; at < 500; at += 1) log.info({ at }, 'line'); ${end};`);
    const ended = once(child, 'close');
    const lines = (await child.stdout.setEncoding('utf8').toArray()).join('').trimEnd().split('\n');
    // What another thread was writing may land behind what the exit writes: each line has its time.
    const found = lines.map((line) => Number(JSON.parse(line).at)).sort((one, other) => one - other);
    expect(found).toEqual(Array.from({ length: 500 }, (_, at) => at));
    expect(await ended).toEqual([3, null]);
  },
);

it('shows a line at once, though no other follows', async () => {
  const child = run(`log.info('alone'); setInterval(() => undefined, 1000);`);
  const [piece] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(JSON.parse(String(piece))).toMatchObject({ level: 'info', msg: 'alone' });
  child.kill('SIGKILL');
});

it.runIf(existsSync('/dev/full'))('does not end the process whose log is on a full disk', async () => {
  const program = write(`
    log.info('one');
    setTimeout(() => log.error('two'), 100);
    setTimeout(() => log.fatal('three'), 200);
    setTimeout(() => { console.error('it goes on'); process.exit(3); }, 300);
  `);
  const words = ['-c', '"$0" --input-type=module --eval "$1" > /dev/full', process.execPath, program];
  const child = spawn('sh', words, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 20_000 });
  const ended = once(child, 'exit');
  const said = (await child.stderr.setEncoding('utf8').toArray()).join('');
  expect([said, await ended]).toEqual(['it goes on\n', [3, null]]);
});

it('hides secrets in what a line says, in the members of that, and in errors', async () => {
  const child = run(`
    const error = Object.assign(new Error('Broken.'), { token: 'open', code: 'E1' });
    const facts = { secret: 'open', order: { apiKey: 'open', id: 7 }, list: [1], at: new Date(0), none: undefined };
    log.info({ ...facts, request: { authorization: 'open' }, err: error }, 'line');
    log.error(error);
    if (facts.secret !== 'open' || facts.order.apiKey !== 'open') throw new Error('It changed what it was given.');
  `);
  const text = (await child.stdout.setEncoding('utf8').toArray()).join('');
  expect(text).not.toContain('open');
  const [line, failure] = text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one));
  const hidden = '[Redacted]';
  expect(line).toMatchObject({
    ...{ level: 'info', msg: 'line', secret: hidden, list: [1], at: '1970-01-01T00:00:00.000Z' },
    order: { apiKey: hidden, id: 7 },
    request: { authorization: hidden },
    err: { type: 'Error', message: 'Broken.', code: 'E1', token: hidden },
  });
  expect(failure).toMatchObject({ level: 'error', msg: 'Broken.', err: { code: 'E1', token: hidden } });
});

import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningProgram, runProgram } from '../../../test/run-program.ts';
import { type Claim, claimDirectory } from '../src/claim-directory.ts';

let directory: string;
let programs: RunningProgram[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handover-lock-'));
  programs = [];
});

afterEach(async () => {
  await Promise.all(programs.map((program) => program.kill('SIGKILL')));
  await rm(directory, { recursive: true, force: true });
});

describe('claimDirectory', () => {
  it('names the holder of the directory, and grants a new claim once it is released', async () => {
    const first = await claimDirectory(directory, {
      kind: 'server',
      what: 'handover',
      url: 'http://localhost:3000',
      facts: { mail: 'smtp' },
    });
    const second = await claimDirectory(directory, { kind: 'command', what: 'org create' });
    expect(second).toEqual({
      kind: 'held',
      by: {
        kind: 'server',
        what: 'handover',
        url: 'http://localhost:3000',
        facts: { mail: 'smtp' },
        pid: process.pid,
      },
    });
    await release(first);
    expect(await claimDirectory(directory, { kind: 'command', what: 'org create' })).toMatchObject({
      kind: 'claimed',
    });
  });

  it('respects the claim of another program, and takes it over when that program was killed', async () => {
    const program = await claimant('the other one');
    expect(await claimIn(program)).toMatchObject({ kind: 'claimed' });
    expect(await claimDirectory(directory, { kind: 'command', what: 'mine' })).toEqual({
      kind: 'held',
      by: { kind: 'server', what: 'the other one', pid: program.pid },
    });
    await program.kill('SIGKILL');
    expect(await claimDirectory(directory, { kind: 'command', what: 'mine' })).toMatchObject({
      kind: 'claimed',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'detects a dead holder whose pid another program has now',
    async () => {
      await leaveClaim({ kind: 'server', what: 'long dead', pid: process.pid, identity: 'of another time' });
      expect(await claimDirectory(directory, { kind: 'command', what: 'mine' })).toMatchObject({
        kind: 'claimed',
      });
    },
  );

  it('takes over a claim that lost its content in a power cut', async () => {
    await leaveClaim('');
    expect(await claimDirectory(directory, { kind: 'command', what: 'mine' })).toMatchObject({
      kind: 'claimed',
    });
  });

  it.runIf(process.geteuid?.() === 0)("keeps a user's directory accessible after root used it", async () => {
    await chown(directory, 4321, 4321);
    await release(await claimDirectory(directory, { kind: 'command', what: 'run by root' }));
    const lock = join(directory, 'lock');
    const paths = [lock, ...(await readdir(lock)).map((name) => join(lock, name))];
    expect(await Promise.all(paths.map(async (path) => (await stat(path)).uid))).toEqual([4321, 4321]);
  });

  it('gives a dead claim to exactly one of many concurrent programs', async () => {
    for (let round = 0; round < 4; round += 1) {
      const claimants = await Promise.all([1, 2, 3, 4].map((number) => claimant(`claimant ${number}`)));
      const claims = await Promise.all(claimants.map(claimIn));
      expect(claims.map(({ kind }) => kind).sort()).toEqual(['claimed', 'held', 'held', 'held']);
      // In the next round this one's winner is dead.
      await Promise.all(claimants.map((program) => program.kill('SIGKILL')));
    }
  });

  it('never has two holders, however many claim and release', async () => {
    let holders = 0;
    const most: number[] = [];
    const claimOften = async () => {
      for (let times = 0; times < 25; ) {
        const claim = await claimDirectory(directory, { kind: 'command', what: 'one of many' });
        if (claim.kind === 'held') continue;
        times += 1;
        holders += 1;
        await new Promise(setImmediate);
        most.push(holders);
        holders -= 1;
        await claim.release();
      }
    };
    await Promise.all([1, 2, 3, 4].map(claimOften));
    expect(most).toHaveLength(100);
    expect(Math.max(...most)).toBe(1);
    expect(await readdir(join(directory, 'lock'))).toHaveLength(1);
  });
});

async function claimant(what: string): Promise<RunningProgram> {
  const program = runProgram(new URL('./programs/hold-directory.ts', import.meta.url), directory, what);
  programs.push(program);
  expect(await program.read()).toBe('here');
  return program;
}

function claimIn(program: RunningProgram): Promise<Claim> {
  program.write('claim');
  return program.read() as Promise<Claim>;
}

async function leaveClaim(content: unknown): Promise<void> {
  await mkdir(join(directory, 'lock'));
  await writeFile(join(directory, 'lock', '7'), content === '' ? '' : JSON.stringify(content));
}

async function release(claim: Claim): Promise<void> {
  if (claim.kind !== 'claimed') throw new Error('not claimed');
  await claim.release();
}

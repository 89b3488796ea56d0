import { randomUUID } from 'node:crypto';
import { chown, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, whenMissing } from './errors.ts';
import { identifyProcess, isSameProcess } from './find-embedded-postgres.ts';

/** `facts`: data of the holder for other programs, in a file that backups of the directory contain as well. */
export type Holder = {
  kind: 'server' | 'command';
  what: string;
  url?: string;
  facts?: Readonly<Record<string, string>>;
};

/** Whether this process owns the directory, or which other one does. */
export type Claim = { kind: 'claimed'; release: () => Promise<void> } | { kind: 'held'; by: LiveHolder };

type LiveHolder = Holder & { pid: number };

/**
 * Claims the directory for this process: one program at a time owns it, and its death releases it.
 *
 * The lock is a directory, `lock`, of numbered claims, and the highest number counts. A claim follows a dead or
 * released one by taking the next number, which link() gives to one process only. The highest claim is never deleted
 * (a release is written into it), so a lower number never becomes valid again: that is why two processes that find
 * the same dead claim cannot both win, however late one of them acts.
 */
export async function claimDirectory(directory: string, holder: Holder): Promise<Claim> {
  const lockDirectory = join(directory, 'lock');
  const made = await mkdir(lockDirectory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await giveToOwnerOf(directory, lockDirectory);
  const draft = await writeDraft(lockDirectory, {
    ...holder,
    pid: process.pid,
    identity: await identifyProcess(process.pid),
  });
  try {
    for (;;) {
      const last = await findLastClaim(lockDirectory);
      const by = last === 0 ? 'nobody' : await readLiveHolder(join(lockDirectory, String(last)));
      if (by === 'superseded') continue;
      if (by !== 'nobody') return { kind: 'held', by };

      const claim = join(lockDirectory, String(last + 1));
      if (!(await linkIfAbsent(draft, claim))) continue;
      // With an old listing, this may have recreated a number that was passed and deleted long ago.
      if ((await findLastClaim(lockDirectory)) > last + 1) {
        await rm(claim, { force: true });
        continue;
      }
      await removeClaimsBefore(last + 1, lockDirectory);
      return { kind: 'claimed', release: () => release(lockDirectory, claim) };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

type WrittenClaim = LiveHolder & { identity: string | null };

async function release(lockDirectory: string, claim: string): Promise<void> {
  const released = await writeDraft(lockDirectory, { released: true });
  await rename(released, claim);
}

async function readLiveHolder(claim: string): Promise<LiveHolder | 'nobody' | 'superseded'> {
  const text = await readFile(claim, 'utf8').catch(whenMissing(null));
  if (text === null) return 'superseded';
  const written = parseClaim(text);
  if (written === null || !(await isSameProcess(written.pid, written.identity))) return 'nobody';
  const { identity: _identity, ...holder } = written;
  return holder;
}

/** A claim is never half written: an unreadable one was released, or lost its content in a power cut. */
function parseClaim(text: string): WrittenClaim | null {
  try {
    const claim: WrittenClaim | { released: true } | null = JSON.parse(text);
    return claim !== null && 'pid' in claim ? claim : null;
  } catch {
    return null;
  }
}

async function writeDraft(
  lockDirectory: string,
  content: WrittenClaim | { released: true },
): Promise<string> {
  const draft = join(lockDirectory, `draft-${process.pid}-${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await giveToOwnerOf(lockDirectory, draft);
  return draft;
}

/** Files that root creates in another user's data directory must stay accessible to that user. */
async function giveToOwnerOf(model: string, path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(model);
  await chown(path, uid, gid);
}

async function findLastClaim(lockDirectory: string): Promise<number> {
  return Math.max(0, ...(await listClaims(lockDirectory)));
}

async function listClaims(lockDirectory: string): Promise<number[]> {
  return (await readdir(lockDirectory)).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function removeClaimsBefore(number: number, lockDirectory: string): Promise<void> {
  const passed = (await listClaims(lockDirectory)).filter((claim) => claim < number);
  await Promise.all(passed.map((claim) => rm(join(lockDirectory, String(claim)), { force: true })));
  await removeDraftsOfTheDead(lockDirectory);
}

async function removeDraftsOfTheDead(lockDirectory: string): Promise<void> {
  for (const name of await readdir(lockDirectory)) {
    const pid = /^draft-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !(await isSameProcess(Number(pid), null))) {
      await rm(join(lockDirectory, name), { force: true });
    }
  }
}

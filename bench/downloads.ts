// A large file through the server: whole, by curl and through the page in a browser, broken off and resumed, and
// twenty times at once, with its memory:
// npm run bench -- downloads [megabytes].
// Needs curl, and twice as much room as the file takes in the temporary directory.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { hashFile } from '../packages/adapters-files/src/disk-file.ts';
import { findChromium } from '../test/chromium.ts';
import { openWorld } from './speed/open-world.ts';
import { type SoldFile, sellFile } from './speed/sell-file.ts';

const MEGABYTE = 1_000_000;
const SIZE = Number(process.argv[3] ?? 3000) * MEGABYTE;
const AT_ONCE = 20;
const ENOUGH = 300 * MEGABYTE;

const world = await openWorld({ shops: 1 });
const server = world.server();
try {
  console.log(`the server begins at ${await server.memory('VmRSS')} MB`);
  const file = await sellFile(world, SIZE / MEGABYTE);
  console.log(`${SIZE / MEGABYTE} MB uploaded, SHA-256 ${file.sha256}`);
  console.log(
    `the server stands at ${await server.memory('VmRSS')} MB, ${await server.memory('VmHWM')} MB at its peak`,
  );
  await downloadThroughPage(file);
  await downloadWhole(file);
  await downloadInPieces(file);
  await downloadTogether(file);
} finally {
  await world.close();
}

async function downloadWhole({ url, sha256 }: SoldFile): Promise<void> {
  const began = performance.now();
  const child = spawn('curl', ['-sS', url], { stdio: ['ignore', 'pipe', 'inherit'] });
  const hash = createHash('sha256');
  for await (const chunk of child.stdout) hash.update(chunk);
  report('whole', hash.digest('hex') === sha256, began, SIZE);
}

/**
 * Downloads like a buyer, first of all, because the page then shows the file as not sent yet: the page reports the
 * complete download, and the browser has the file.
 */
async function downloadThroughPage({ page: address, sha256 }: SoldFile): Promise<void> {
  const began = performance.now();
  const browser = await chromium.launch({ ...(await findChromium()), downloadsPath: world.directory });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    const starting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download large.zip' }).click();
    const download = await starting;
    const path = await download.path();
    await page.getByText('Sent whole', { exact: true }).waitFor();
    const took = performance.now() - began;
    const isSame = (await hashFile(path)).sha256 === sha256;
    await download.delete();
    report('through the page', isSame, performance.now() - took, SIZE);
  } finally {
    await browser.close();
  }
}

async function downloadInPieces({ url, sha256 }: SoldFile): Promise<void> {
  const began = performance.now();
  const path = join(world.directory, 'resumed.bin');
  for (const share of [0.1, 0.5, 0.99]) await downloadUntil(url, path, SIZE * share);
  const { size } = await stat(path);
  console.log(`killed three times, last at ${((size / SIZE) * 100).toFixed(1)} %`);
  await curl(['-C', '-', '-o', path, url]);
  const isSame = (await hashFile(path)).sha256 === sha256;
  await rm(path);
  report('resumed', isSame, began, SIZE);
}

/** Resumes at the end of the file, and is killed once it has this many bytes. */
async function downloadUntil(url: string, path: string, bytes: number): Promise<void> {
  // Slow enough near the mark that the kill comes before the end.
  const child = spawn('curl', ['-sS', '--limit-rate', '400M', '-C', '-', '-o', path, url]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setInterval(async () => {
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= bytes) child.kill('SIGKILL');
  }, 5);
  await ended;
  clearInterval(timer);
}

/** Three times at full speed, since the memory of one wave adds to the next; then half of them slowly. */
async function downloadTogether({ url }: SoldFile): Promise<void> {
  console.log(`until then the server's peak was ${await server.memory('VmHWM')} MB`);
  for (const isSlow of [() => false, () => false, () => false, (at: number) => at % 2 === 1]) {
    await server.forgetPeak();
    const before = await server.memory('VmRSS');
    const began = performance.now();
    const bytes = Math.min(SIZE, ENOUGH);
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => {
        const start = Math.floor(((SIZE - bytes) / AT_ONCE) * at);
        const pace = isSlow(at) ? ['--limit-rate', '30M'] : [];
        return curl([...pace, '-r', `${start}-${start + bytes - 1}`, '-o', '/dev/null', url]);
      }),
    );
    report(`${AT_ONCE} at once`, true, began, bytes * AT_ONCE);
    console.log(`memory: ${before} MB before, ${await server.memory('VmHWM')} MB at its peak`);
  }
}

function curl(words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['-sS', '--fail', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`curl ended with ${code}`))));
  });
}

function report(what: string, identical: boolean, began: number, bytes: number): void {
  const seconds = (performance.now() - began) / 1000;
  const pace = (bytes / MEGABYTE / seconds).toFixed(0);
  console.log(`${what}: ${identical ? 'ok' : 'NOT the same bytes'}, ${seconds.toFixed(1)} s, ${pace} MB/s`);
  if (!identical) process.exitCode = 1;
}

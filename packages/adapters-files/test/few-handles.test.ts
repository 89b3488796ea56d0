import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const FILES = new URL('../src/index.ts', import.meta.url).href;

/** Nobody listens at the store’s address: reaching for it is as far as a check that works can come. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { createS3Check } from ${JSON.stringify(FILES)};
  const check = createS3Check({
    ...{ bucket: 'files', prefix: '', region: 'us-east-1', endpoint: 'http://127.0.0.1:9' },
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  });
  const ask = () => check().catch((error) => error.code);
  const handles = [];
  try { for (;;) handles.push(openSync('/dev/null')); } catch {}
  const without = await ask();
  for (const handle of handles) closeSync(handle);
  console.log(JSON.stringify({ without, later: await ask() }));
`;

it.skipIf(process.platform === 'win32')(
  'loads the library of the store again after it could not for want of file handles',
  async () => {
    const words = [
      '-c',
      'ulimit -n 64; exec "$0" --input-type=module --eval "$1"',
      process.execPath,
      PROGRAM,
    ];
    const { without, later } = JSON.parse((await promisify(execFile)('sh', words)).stdout);
    expect(without).not.toBe('file-store-away');
    expect(later).toBe('file-store-away');
  },
);

import { open } from 'node:fs/promises';

/** Brings what has a new name in it to the disk. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

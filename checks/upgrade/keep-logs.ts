import { copyFile, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_LINES = 20;

/** Keeps the logs of all servers when something went wrong, and says where, with the first lines that may explain it. */
export async function keepLogs(directory: string): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'handover-upgrade-logs-'));
  const names = (await readdir(directory)).filter((name) => name.endsWith('.log')).toSorted();
  const lines: string[] = [];
  for (const name of names) {
    await copyFile(join(directory, name), join(kept, name));
    const text = await readFile(join(directory, name), 'utf8');
    lines.push(
      ...text
        .split('\n')
        .filter(explains)
        .map((line) => `${name}: ${line}`),
    );
  }
  return [`logs of the servers: ${kept}`, ...lines.slice(0, MAX_LINES)].join('\n');
}

/** An answer that refuses, or anything that a server warns of. */
function explains(line: string): boolean {
  return /"statusCode":5\d\d|"level":"?([4-6]0|warn|error|fatal)\b/.test(line);
}

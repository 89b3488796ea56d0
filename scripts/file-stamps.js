import { statSync } from 'node:fs';

/** Size and time of each file (null: it does not exist), to see later whether any has changed. */
export function stampFiles(paths) {
  return Object.fromEntries([...paths].map((path) => [path, readStamp(path)]));
}

export function areUnchanged(stamps) {
  return Object.entries(stamps).every(([path, stamp]) => readStamp(path) === stamp);
}

function readStamp(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs}` : null;
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The lines of each block of commands under a heading of docs/install.md. */
export function readBlocks(heading: string): readonly (readonly string[])[] {
  const text = readFileSync(fileURLToPath(new URL('../../docs/install.md', import.meta.url)), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/install.md has no “${heading}”`);
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block.trim().split('\n'));
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The lines of each block of commands under a heading of docs/install.md, or of another page. */
export function readBlocks(heading: string, page = 'install'): readonly (readonly string[])[] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${page}.md`, import.meta.url)), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${page}.md has no “${heading}”`);
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block.trim().split('\n'));
}

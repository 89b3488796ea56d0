import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = [
  ...['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  ...['docs', 'docs/decisions'].flatMap(listPages),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sources = readSources();

describe('the documents', () => {
  it.each(pages)('$path has no broken links', ({ path, text }) => {
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
    const missing = links
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => !existsSync(resolve(root, dirname(path), link)));
    expect(missing).toEqual([]);
  });

  it.each(pages)('$path has no broken anchors', ({ path, text }) => {
    const links = [...text.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)].filter(
      ([, file = '']) => !/^https?:/.test(file),
    );
    const missing = links.filter(([, file = '', anchor = '']) => {
      const target = file ? relative(root, resolve(root, dirname(path), file)) : path;
      return !listAnchors(readFileSync(join(root, target), 'utf8')).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('of a package link to nothing outside it, because its tarball has nothing else', () => {
    const readmes = globSync(
      ['packages/*/README.md', 'packages/platform-webhooks/*/README.md', 'apps/*/README.md'],
      {
        cwd: root,
      },
    );
    expect(readmes.length).toBeGreaterThan(15);
    const outside = readmes.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^(https?|mailto):/.test(link))
        .filter((link) => relative(dirname(path), join(dirname(path), link)).startsWith('..'))
        .map((link) => `${path}: ${link}`),
    );
    expect(outside).toEqual([]);
  });

  it('of a package link to what there is in the repository', () => {
    const readmes = globSync(['packages/*/README.md', 'apps/*/README.md'], { cwd: root });
    const linked = readmes.flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(/handover-dev\/handover\/tree\/main\/([^)#]+)/g),
      ].map(([, file = '']) => file),
    );
    expect(linked.length).toBeGreaterThan(4);
    expect(linked.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(pages)('$path contains no merge conflict markers', ({ text }) => {
    // A formatter turns some of the markers into quotations or rows of a table.
    expect(text.match(/^(<{7}|>{7}|(> ){7}|(\| )?={7}).*$/gm)).toBe(null);
  });

  it.each(pages)('$path names only files that exist', ({ text }) => {
    const named = [...text.matchAll(/`((?:packages|apps|docs|examples)\/[\w./-]+\.\w+)`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(pages)('$path names only sources and their members that exist', ({ text }) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, '');
    const files = [...prose.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !sources.paths.some((path) => `/${path}`.endsWith(`/${file}`)))).toEqual(
      [],
    );
    const members = [...prose.matchAll(/`([a-z]+[A-Z]\w+)(?:\(\))?`/g)].map(([, name = '']) => name);
    expect(members.filter((name) => !sources.words.has(name) && name !== 'includeSubDomains')).toEqual([]);
  });

  it('show commands that exist, with options they take and all that they need', () => {
    const program = buildProgram({});
    const shown = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm run (?:--silent )?handover -- (.+)/g)].map(([, words = '']) => words.trim()),
    );
    expect(shown.length).toBeGreaterThan(3);
    for (const words of shown.filter((line) => line !== '--help')) {
      const [spoken = '', ...options] = words.split(/ (?=--)/);
      const command = spoken.split(' ').reduce<Command | undefined>(findCommand, program);
      expect([words, command === undefined]).toEqual([words, false]);
      const given = options.map((option) => option.split(/[ =]/)[0]);
      const known = command?.options ?? [];
      expect([words, given.filter((flag) => !known.some(({ long }) => long === flag))]).toEqual([words, []]);
      const mandatory = known.filter((option) => option.mandatory).map(({ long }) => long);
      expect([words, mandatory.filter((flag) => !given.includes(flag ?? ''))]).toEqual([words, []]);
    }
  });

  it('list every setting, and no other', () => {
    const readme = pages[0]?.text ?? '';
    const [, table = ''] = /## Settings\n([\s\S]*?)\n## /.exec(readme) ?? [];
    const listed = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [],
    );
    const source = ['settings.ts', 'files-setting.ts', 'retention-setting.ts', 'telemetry-setting.ts']
      .map((name) => readFileSync(join(root, 'apps/server/src/settings', name), 'utf8'))
      .join('\n');
    const read = [...source.matchAll(/(?:get|getNumber|readDays)\('([A-Z_]+)'/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(read.sort());
  });

  it('list every decision once, by its number and its title', () => {
    const index = pages.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? '';
    const listed = [...index.matchAll(/^- \[(\d+)\]\((\d{4}-[\w-]+\.md)\): (\S.*)$/gm)];
    expect(listed.filter(([, number = '', file = '']) => !file.startsWith(number.padStart(4, '0')))).toEqual(
      [],
    );
    const kept = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
    expect(listed.map(([, , file]) => file).sort()).toEqual(kept.sort());
    const titles = listed.map(([, number, file = '', title]) => ({ file, heading: `# ${number}. ${title}` }));
    expect(titles).toEqual(
      titles.map(({ file }) => ({
        file,
        heading: readFileSync(join(root, 'docs/decisions', file), 'utf8').split('\n')[0],
      })),
    );
  });

  it.each([
    ['webhook', 7],
    ['download', 6],
  ])('lead through the life of a %s in %i files', (what, count) => {
    const architecture = pages.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';
    const life = architecture.split(/^## /m).find((part) => part.startsWith(`The life of a ${what}`)) ?? '';
    expect(life.match(/^\d\. `([\w./-]+)`/gm)).toHaveLength(count);
  });
});

/** Every source, and every word in them. */
function readSources(): { readonly paths: readonly string[]; readonly words: ReadonlySet<string> } {
  const paths = globSync('{apps,bench,bin,checks,examples,packages,scripts,test}/**/*.{ts,js}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  const texts = paths.map((path) => readFileSync(join(root, path), 'utf8'));
  return { paths, words: new Set(texts.flatMap((text) => text.match(/\w+/g) ?? [])) };
}

/** The anchors that GitHub gives to headings. */
function listAnchors(text: string): readonly string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function listPages(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** An argument, such as the platform after `simulate`, is not a subcommand. */
function findCommand(command: Command | undefined, word: string): Command | undefined {
  if (!command) return undefined;
  const child = command.commands.find((candidate) => candidate.name() === word);
  return child ?? (command.registeredArguments.length > 0 ? command : undefined);
}

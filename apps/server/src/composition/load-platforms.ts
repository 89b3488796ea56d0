import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLATFORMS } from '@handover/domain';
import { checkPlatform, describeThrown, type PlatformWebhook } from '@handover/platform-contract';

/** A platform of another team, or where its package is: a name, or a path that begins with `.` or `/`. */
export type PlatformSource = string | PlatformWebhook;

/** Platforms that cannot be offered, with what their packages must change. */
export class PlatformError extends Error {
  readonly code = 'platform-setting';
  /** Phrases to follow the name of the setting. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.map((problem) => `PLATFORMS ${problem}`).join('\n'));
    this.problems = problems;
  }
}

/** Loads each, and checks it. Rejects with the problems of all. */
export async function loadPlatforms(
  sources: readonly PlatformSource[],
  importModule: (url: string) => Promise<unknown> = (url) => import(url),
): Promise<readonly PlatformWebhook[]> {
  const loaded: PlatformWebhook[] = [];
  const problems: string[] = [];
  for (const source of sources) {
    const found = await find(source, importModule);
    if (typeof found === 'string') {
      problems.push(found);
      continue;
    }
    const checked = checkPlatform(found.value, [...RESERVED, ...loaded.map(({ label }) => label)]);
    if (checked.kind === 'valid') loaded.push(checked.platform);
    else problems.push(`names ${nameOf(source)}, which ${checked.problems.join('; ')}`);
  }
  if (problems.length > 0) throw new PlatformError(problems);
  return loaded;
}

/** Ours; what a purchase says where no platform reported it; and what stands beside platforms in addresses of webhooks. */
const RESERVED = [...PLATFORMS, 'api', 'dashboard', 'download-complete'];

function nameOf(source: PlatformSource): string {
  return typeof source === 'string' ? source : `“${source.label}”`;
}

/** The problem, where there is nothing to load. */
async function find(
  source: PlatformSource,
  importModule: (url: string) => Promise<unknown>,
): Promise<{ readonly value: unknown } | string> {
  if (typeof source !== 'string') return { value: source };
  try {
    return { value: findPlatform(await importModule(locate(source))) };
  } catch (error) {
    const remedy = isPath(source)
      ? 'Give the path of its module.'
      : 'Install it in the directory that the server is started in, or give a path that begins with “./” or “/”.';
    return `names ${source}, which could not be loaded. ${remedy} ${describeThrown(error)}`;
  }
}

/** From the directory of the start, whose package it is; else from our own, which it may lie beside. */
function locate(source: string): string {
  if (source.startsWith('file:')) return source;
  if (isPath(source)) return pathToFileURL(resolve(source)).href;
  for (const from of [pathToFileURL(resolve('package.json')), import.meta.url]) {
    try {
      return pathToFileURL(createRequire(from).resolve(source)).href;
    } catch {
      // The next place may have it.
    }
  }
  return source;
}

function isPath(source: string): boolean {
  return /^(\.{0,2}[/\\]|[a-z]:[/\\])/i.test(source);
}

/** The default export of a module, else the one object that it exports. */
function findPlatform(module: unknown): unknown {
  const { default: main, ...named } = module as Readonly<Record<string, unknown>>;
  if (main !== undefined) return main;
  const objects = Object.values(named).filter((value) => typeof value === 'object' && value !== null);
  return objects.length === 1 ? objects[0] : null;
}

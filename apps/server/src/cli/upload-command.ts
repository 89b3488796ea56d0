import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProductFile, VersionWithFiles } from '@handover/domain';
import { reopenVersion } from '@handover/domain';
import type { Command } from 'commander';
import { tokens } from '../composition.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError, runCommand } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import type { Destination, FileToSend } from './send-file.ts';
import { sendFile } from './send-file.ts';
import { requireAddress } from './server-address.ts';
import type { ProgressLine } from './show-progress.ts';
import { showProgress } from './show-progress.ts';

/** `product upload`. */
export function addProductCommands(program: Command, context: CommandContext): void {
  program
    .command('product')
    .description('products and their files')
    .command('upload')
    .description('send files into a version, through the running server; the same command again goes on')
    .argument('<file...>', 'the files, which keep their names')
    .requiredOption('--org <id>', 'the organisation')
    .requiredOption('--product <id>', 'the product')
    .requiredOption('--version <label>', 'the version, such as 2.1.0; it is opened if there is none')
    .option('--activate', 'put the version live afterwards')
    .action((paths: string[], options: UploadOptions) =>
      runCommand(context, 'product upload', (opened) => upload(opened, context, paths, options)),
    );
}

interface UploadOptions {
  readonly org: string;
  readonly product: string;
  readonly version: string;
  readonly activate?: true;
}

interface Report {
  readonly reading: (name: string) => ProgressLine;
  readonly sending: (name: string) => ProgressLine;
}

const SILENT: ProgressLine = { show: () => {}, end: () => {} };

async function upload(
  opened: OpenedCommand,
  context: CommandContext,
  paths: readonly string[],
  options: UploadOptions,
) {
  const sending = (name: string) => (context.wantsJson() ? SILENT : showProgress(name, process.stderr));
  const report: Report = {
    sending,
    // Quick enough to be of interest only to somebody who watches.
    reading: (name) => (process.stderr.isTTY ? sending(`reading ${name}`) : SILENT),
  };
  const found = await findFiles(paths);
  const { settings } = opened.infrastructure;
  const serverUrl = requireAddress(settings);
  await requireServer(serverUrl);
  const apiKey = await findKey(opened, options.org);
  const version = await openVersion(
    opened,
    options,
    found.map(({ name }) => name),
  );
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const to: Destination = {
    serverUrl,
    apiKey,
    productId: options.product,
    versionId: version.id,
    memory: join(settings.dataDir, 'uploads-begun.json'),
  };
  const files: (ProductFile & { readonly uploaded: boolean })[] = [];
  for (const file of found) files.push(await bring(file, version, to, report));
  if (options.activate) await activate(to);
  return {
    json: {
      productId: to.productId,
      versionId: to.versionId,
      version: version.version,
      activated: options.activate === true,
      files,
    },
    lines: [
      ...files.map(({ name, size, sha256, uploaded }) => {
        return `${name}  ${size} bytes  SHA-256 ${sha256}${uploaded ? '' : '  (was there already)'}`;
      }),
      ...adviseNext(to, version.version, options.activate === true),
    ],
  };
}

function adviseNext(
  { productId, versionId }: Destination,
  label: string,
  activated: boolean,
): readonly string[] {
  if (activated)
    return [`Version ${label} is live: buyers get it from now on, and its files stay as they are.`];
  return [
    `Version ${label} holds them, and buyers do not get it yet.`,
    'Next: put it live, by the same command with --activate, or with',
    `  POST /api/products/${productId}/versions/${versionId}/activate`,
  ];
}

async function findFiles(paths: readonly string[]) {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => null);
      if (!stats?.isFile()) throw new CommandError(`There is no file ${path}.`);
      return { path, name: basename(path), size: stats.size };
    }),
  );
  const names = found.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new CommandError(`Two of the files are called ${twice}. Rename one.`);
  return found;
}

async function requireServer(serverUrl: string): Promise<void> {
  const response = await fetch(`${serverUrl}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  );
  if (!response?.ok) {
    throw new CommandError(
      `No server answers at ${serverUrl}. Start it with npm start, then send the files.`,
    );
  }
}

/** Whoever may open the installation may do what an owner may, so files come in with an owner's key. */
async function findKey({ composition }: OpenedCommand, orgId: string): Promise<string> {
  const { organisations, team, users } = composition.resolve(tokens.stores);
  if (!(await organisations.find(orgId))) {
    throw new CommandError(`--org ${orgId} is not an organisation of this installation.`);
  }
  const owner = (await team.list(orgId)).find(({ role }) => role === 'owner');
  const key = owner && (await users.findKey(owner.id));
  if (!key) throw new CommandError(`--org ${orgId} has no owner. Add one with: user create --role owner`);
  return composition.resolve(tokens.apiKeys).reveal(key);
}

/**
 * The files go through the server with an owner's key, so that their entries name the owner. This one says beforehand
 * that it was the command line.
 */
async function openVersion(
  opened: OpenedCommand,
  { org, product, version, activate: activates }: UploadOptions,
  names: readonly string[],
): Promise<VersionWithFiles> {
  const { reopened } = await runCommandAction(
    opened,
    async (within) => ({
      reopened: await reopenVersion(within, org, product, version),
      found: await within.products.find(org, product),
    }),
    ({ reopened: { kind }, found }) => {
      if (kind !== 'open' || !found) return null;
      const what = `uploads ${names.join(', ')} into version ${version}${activates ? ' and makes it live' : ''}`;
      const summary = `${found.name}: the command line ${what}, with an owner’s API key.`;
      return { orgId: org, kind: 'product-changed', subjectId: found.id, summary };
    },
  );
  switch (reopened.kind) {
    case 'open':
      return reopened.version;
    case 'invalid':
      throw new CommandError(`--${reopened.field} ${reopened.problem}.`);
    case 'unknown-product':
      throw new CommandError(`--product ${product} is not a product of this organisation. Use its id.`);
    case 'frozen':
      throw new CommandError(
        `--version ${version} was live, so its files stay as they are. Choose another label.`,
      );
  }
}

async function bring(
  found: Omit<FileToSend, 'sha256'>,
  version: VersionWithFiles,
  to: Destination,
  report: Report,
) {
  const file = { ...found, sha256: await hashFile(found, report) };
  const { name, size, sha256 } = file;
  const isThere = version.files.some((other) => other.name === name && other.sha256 === sha256);
  if (!isThere) {
    const progress = report.sending(name);
    try {
      await sendFile(file, to, progress.show);
    } finally {
      progress.end();
    }
  }
  return { name, size, sha256, uploaded: !isThere };
}

/** The server checks what came in against this; it also tells a file from its former self when the command is repeated. */
async function hashFile({ path, name, size }: Omit<FileToSend, 'sha256'>, report: Report): Promise<string> {
  const progress = report.reading(name);
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
    done += chunk.length;
    progress.show(done, size);
  }
  progress.end();
  return hash.digest('hex');
}

async function activate({ serverUrl, apiKey, productId, versionId }: Destination): Promise<void> {
  const response = await fetch(`${serverUrl}/api/products/${productId}/versions/${versionId}/activate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  }).catch(() => null);
  if (response?.ok) return;
  throw new CommandError(
    `The files are in, but the version is not live: the server answered ${response?.status ?? 'nothing'}. ` +
      'The same command tries again.',
  );
}

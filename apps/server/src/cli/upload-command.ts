import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Product, ProductFile, VersionWithFiles } from '@handover/domain';
import { reopenVersion } from '@handover/domain';
import type { Command } from 'commander';
import { adviseAfterActivating } from './advise-next.ts';
import { formatCommand, formatOption, quoteArgument, START_COMMAND } from './command-text.ts';
import { findProduct } from './find-product.ts';
import { inOrganisation, ORG } from './in-organisation.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import type { Destination, FileToSend } from './send-file.ts';
import { sendFile } from './send-file.ts';
import { explainSilence, requireAddress } from './server-address.ts';
import type { ProgressLine } from './show-progress.ts';
import { showProgress } from './show-progress.ts';
import { wrongOption } from './wrong-option.ts';

/** `product upload`. */
export function addUploadCommand(product: Command, context: CommandContext): void {
  product
    .command('upload')
    .description('upload files into a version, through the running server; the same command again resumes')
    .argument('<file...>', 'the files, which keep their names')
    .requiredOption(...ORG)
    .requiredOption('--product <slug>', 'the product’s slug or id')
    .requiredOption('--version <label>', 'the version, such as 2.1.0; it is created if there is none')
    .option('--activate', 'make the version live afterwards: buyers get it from then on')
    .action(
      inOrganisation(context, (opened, paths: string[], options: UploadOptions) =>
        upload(opened, context, paths, options),
      ),
    );
}

interface UploadOptions {
  readonly org: string;
  readonly product: string;
  readonly version: string;
  readonly activate?: true;
}

/** `isLive`: its files cannot change, so it can only contain the files to upload already. */
interface OpenedVersion {
  readonly version: VersionWithFiles;
  readonly isLive: boolean;
}

type UploadedFile = Omit<ProductFile, 'displayName'> & {
  readonly displayName: string | null;
  readonly uploaded: boolean;
};

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
  const report = openReport(context);
  const found = await findFiles(paths);
  const { settings } = opened.infrastructure;
  const serverUrl = requireAddress(settings);
  await requireServer(serverUrl);
  const apiKey = await findKey(opened, options.org);
  const product = await findProduct(opened.ports, options.org, options.product);
  const { version, isLive } = await openVersion(
    opened,
    options,
    product,
    found.map(({ name }) => name),
  );
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const to: Destination = {
    serverUrl,
    apiKey,
    productId: product.id,
    versionId: version.id,
    memory: join(settings.dataDir, 'uploads-begun.json'),
  };
  const files: UploadedFile[] = [];
  for (const file of found) files.push(await bring(file, { version, isLive }, to, report));
  const activates = options.activate === true && !isLive;
  if (activates) await activate(to);
  return {
    json: {
      productId: to.productId,
      versionId: to.versionId,
      version: version.version,
      activated: activates || isLive,
      files,
    },
    lines: [
      ...files.map(describeFile),
      ...(activates || isLive
        ? await describeLive(opened, product, { version: version.version, wasLive: isLive })
        : adviseActivating(paths, options, product)),
    ],
  };
}

function openReport(context: CommandContext): Report {
  const sending = (name: string) => (context.wantsJson() ? SILENT : showProgress(name, process.stderr));
  return {
    sending,
    // Too quick to be worth a log line.
    reading: (name) => (process.stderr.isTTY ? sending(`reading ${name}`) : SILENT),
  };
}

function describeFile({ name, size, sha256, displayName, uploaded }: UploadedFile): string {
  const shown = displayName === null ? '' : ` (“${displayName}”)`;
  return `${name}${shown}  ${size} bytes  SHA-256 ${sha256}${uploaded ? '' : '  (was there already)'}`;
}

function adviseActivating(
  paths: readonly string[],
  { org, version }: UploadOptions,
  { name, slug }: Product,
): readonly string[] {
  const files = paths.map(quoteArgument).join(' ');
  return [
    `The files are in version ${version} of ${name}, which buyers do not get yet.`,
    'Next: make it live:',
    formatCommand(
      `product upload ${files} --org ${org} --product ${slug} ${formatOption('version', version)} --activate`,
    ),
  ];
}

async function describeLive(
  opened: OpenedCommand,
  product: Product,
  { version, wasLive }: { readonly version: string; readonly wasLive: boolean },
): Promise<readonly string[]> {
  return [
    wasLive
      ? `Version ${version} of ${product.name} is already live with these files.`
      : `Version ${version} of ${product.name} is live. Its files stay as they are.`,
    ...(await adviseAfterActivating(opened, product)),
  ];
}

async function findFiles(paths: readonly string[]) {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => null);
      if (stats?.isDirectory())
        throw new CommandError(`${path} is a folder. Name its files, or pack it into one, such as a .zip.`);
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
  const health = `${serverUrl}/healthz`;
  const response = await fetch(health, { signal: AbortSignal.timeout(10_000) }).catch((error) => {
    throw new CommandError(`${explainSilence(serverUrl, error)}, then upload the files.`);
  });
  if (!response.ok) {
    throw new CommandError(
      `No server answers at ${serverUrl}, but a proxy with status ${response.status}. Start the server with ${START_COMMAND}, then upload the files.`,
    );
  }
}

/** The command line has the rights of an owner, so it uploads with an owner's key. */
async function findKey({ composition, ports }: OpenedCommand, orgId: string): Promise<string> {
  const owner = (await ports.team.list(orgId)).find(({ role }) => role === 'owner');
  const key = owner && (await ports.users.findKey(owner.id));
  if (!key) {
    throw new CommandError(
      `--org ${orgId} has no owner. Add one with:\n${formatCommand(`user create --email EMAIL --org ${orgId} --role owner`)}`,
    );
  }
  return composition.resolve('apiKeys').reveal(key);
}

/**
 * The server receives the files under an owner's key, so their entries name the owner. This entry records first that
 * the command line made the upload.
 */
async function openVersion(
  opened: OpenedCommand,
  { org, version, activate: activates }: UploadOptions,
  product: Product,
  names: readonly string[],
): Promise<OpenedVersion> {
  const reopened = await runCommandAction(
    opened,
    (within) => reopenVersion(within, org, product.id, version),
    ({ kind }) => {
      if (kind !== 'open') return null;
      const what = `uploads ${names.join(', ')} into version ${version}${activates ? ' and makes it live' : ''}`;
      const summary = `${product.name}: the command line ${what}, with an owner’s API key.`;
      return { orgId: org, kind: 'product-changed', subjectId: product.id, summary };
    },
  );
  switch (reopened.kind) {
    case 'open':
      return { version: reopened.version, isLive: false };
    case 'invalid':
      throw wrongOption(reopened);
    case 'unknown-product':
      throw new CommandError(`--product ${product.id} is not a product of this organisation.`);
    case 'frozen': {
      const live = await opened.ports.products.findVersionByLabel(org, product.id, version.trim());
      if (live?.id === product.activeVersionId) return { version: live, isLive: true };
      throw frozen(version);
    }
  }
}

function frozen(label: string): CommandError {
  return new CommandError(
    `--version ${label} was live, so its files stay as they are. Choose another label.`,
  );
}

async function bring(
  found: Omit<FileToSend, 'sha256'>,
  { version, isLive }: OpenedVersion,
  to: Destination,
  report: Report,
) {
  const file = { ...found, sha256: await hashFile(found, report) };
  const { name, size, sha256 } = file;
  const isThere = version.files.some((other) => other.name === name && other.sha256 === sha256);
  if (isLive && !isThere) throw frozen(version.version);
  if (!isThere) {
    const progress = report.sending(name);
    try {
      await sendFile(file, to, progress.show);
    } finally {
      progress.end();
    }
  }
  const shown = version.files.find((other) => other.name === name)?.displayName ?? null;
  return { name, size, sha256, displayName: shown, uploaded: !isThere };
}

/**
 * The server checks the received bytes against this hash; it also detects a changed file when the command is
 * repeated.
 */
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

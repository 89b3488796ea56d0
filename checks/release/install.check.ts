import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { receiptsAmong, startMailServer } from '../../apps/server/test/support/mail-server.ts';
import { shareInFile, undoLater } from '../../test/undo.ts';
import { type Running, shell, startUnit } from './machine.ts';
import { startDebianPostgres } from './postgres.ts';
import { readBlocks } from './read-blocks.ts';

const tarball = process.env.HANDOVER_RELEASE ?? '';
const RELEASE = basename(tarball, '.tar.gz');
const DOMAIN = 'get.example.com';
const CERTIFICATE = `/etc/letsencrypt/live/${DOMAIN}/fullchain.pem`;
const env = { RELEASE, DOMAIN, NODE_EXTRA_CA_CERTS: CERTIFICATE };

const services: Record<string, Running> = {};
/** What the commands of the first shop printed. */
const printed: string[] = [];

const shared = shareInFile(async () => {
  undoLater(() => shell('nginx -s quit || true'));
  undoLater(() => Promise.all(Object.values(services).map((service) => service.stop())));
  undoLater(await startDebianPostgres());
  await makeCertificate();
  // Where the mail relay of the example settings listens.
  return { mailServer: await startMailServer(25) };
});

describe('docs/install.md, on Debian', () => {
  test('leads from a tarball to a service that is ready, behind nginx', async () => {
    for (const heading of ['2. A user and a database', '3. The program', '4. Settings', '5. The service'])
      await follow(heading);
    await expect.poll(() => statusOf('http://127.0.0.1:3000/readyz')).toBe(200);
    await follow('6. The proxy');
    expect(await statusOf(`https://${DOMAIN}/readyz`)).toBe(200);
  });

  test('names version and commit in the first lines of the log', () => {
    const [line = '{}'] =
      services.handover
        ?.log()
        .split('\n')
        .filter((text) => text.includes('listening at https')) ?? [];
    const sbom = JSON.parse(readFileSync('/opt/handover/sbom.cdx.json', 'utf8'));
    const { version, properties } = sbom.metadata.component;
    expect(JSON.parse(line)).toMatchObject({ version, commit: properties[0].value, role: 'all' });
  });

  test('runs as the user of the unit, without a right to anything else', async () => {
    const [pid = ''] = (await shell('pgrep --uid handover')).split('\n');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toContain(
      `/opt/${RELEASE}/apps/server/dist/handover.js`,
    );
    const mounts = readFileSync(`/proc/${pid}/mounts`, 'utf8');
    expect(mounts).toMatch(/^\S+ \/opt overlay ro/m);
    expect(mounts).toMatch(/^\S+ \/ \S+ ro/m);
  });

  test('delivers an order of the first shop, by mail, to a file that is fetched', async () => {
    await follow('7. The first shop');
    expect(printed.at(-1)).toContain('The webhook log says: success.');
    expect(printed.join('')).toContain('  handover product create');
    expect(printed.join('')).not.toContain('npm');
    const [receipt] = receiptsAmong(await shared().mailServer.waitForMails(1));
    expect(receipt?.to?.[0]?.address).toBe('you@example.com');
    const [link = ''] = /https:\S+\/d\/\S+/.exec(receipt?.text ?? '') ?? [];
    expect(link).toMatch(`https://${DOMAIN}/d/`);
    const file = await fetch(`${link}/files/1.0/README.md`);
    expect([file.status, await file.text()]).toEqual([200, readFileSync('/opt/handover/README.md', 'utf8')]);
    expect(await shell('find /var/lib/handover/files -type f')).not.toBe('');
  });

  test('is backed up beside the server, and the backup is verified', async () => {
    for (const line of readBlocks('Every night, on Debian', 'backup').flat()) printed.push(await shell(line));
    expect(printed.join('')).toContain('Exported ');
    expect(printed.join('\n')).toMatch(
      /^The export of \S+ is good: \d+ rows were restored and compared, 1 file /m,
    );
  });

  test('stops on SIGTERM in order, and the command line goes on', async () => {
    expect(await services.handover?.stop()).toBe(0);
    expect(services.handover?.log()).toContain('"stopped"');
    expect(await shell('pgrep --uid handover || true')).toBe('');
    expect(await shell('handover org list')).toContain('Halo Audio');
    expect(JSON.parse(await shell('handover --version --json'))).toHaveProperty('commit');
  });

  test('goes on with several processes, while one after the other restarts', async () => {
    await follow('Several processes');
    for (const port of [3000, 3001])
      await expect.poll(() => statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(200);
    await expect.poll(() => services['handover@worker']?.log()).toContain('"working"');
    const [simulate = ''] = readBlocks('7. The first shop')
      .flat()
      .filter((line) => line.includes('simulate'));
    const orgId = /\/webhooks\/([\w-]+)\//.exec(printed.join(''))?.[1] ?? '';
    expect(await shell(simulate.replace('ORG', orgId), env)).toContain('The webhook log says: success.');
    expect(receiptsAmong(await shared().mailServer.waitForMails(2))).toHaveLength(2);
    const statuses = new Set<number | string>();
    for (const name of ['handover@web', 'handover@web2']) {
      expect(await services[name]?.stop()).toBe(0);
      for (let asked = 0; asked < 20; asked += 1) statuses.add(await statusOf(`https://${DOMAIN}/readyz`));
      await start(name);
      const port = name === 'handover@web' ? 3000 : 3001;
      await expect.poll(() => statusOf(`http://127.0.0.1:${port}/readyz`)).toBe(200);
    }
    expect([...statuses]).toEqual([200]);
    for (const name of ['handover@web', 'handover@web2', 'handover@worker'])
      expect(await services[name]?.stop()).toBe(0);
  });
});

/** Runs the commands under a heading. What systemctl does is done here: there is no systemd in these namespaces. */
async function follow(heading: string): Promise<void> {
  const blocks = readBlocks(heading);
  expect(blocks.length).toBeGreaterThan(0);
  for (const line of blocks.flat()) {
    const [, verb, units = ''] = /^systemctl (enable|disable) --now (.+)$/.exec(line) ?? [];
    if (verb === 'enable') for (const unit of units.split(' ')) await start(unit);
    else if (verb === 'disable') for (const unit of units.split(' ')) await services[unit]?.stop();
    else if (line === 'systemctl reload nginx') await shell('nginx -s reload 2> /dev/null || nginx');
    else if (line !== 'systemctl daemon-reload') {
      const orgId = /^ {2}organisation +(\S+)$/m.exec(printed.join('\n'))?.[1] ?? 'ORG';
      printed.push(await shell(line.replace(/\bORG\b/, orgId), env, dirname(tarball)));
    }
  }
}

async function start(unit: string): Promise<void> {
  services[unit] = await startUnit(unit);
}

async function statusOf(url: string): Promise<number | string> {
  return fetch(url).then(
    ({ status }) => status,
    (error) => `${error.cause ?? error}\n${Object.values(services).map((service) => service.log())}`,
  );
}

/** In the place of certbot, and of the public name. */
async function makeCertificate(): Promise<void> {
  mkdirSync(dirname(CERTIFICATE), { recursive: true });
  const key = join(dirname(CERTIFICATE), 'privkey.pem');
  const names = `-subj /CN=${DOMAIN} -addext subjectAltName=DNS:${DOMAIN}`;
  const kind = '-x509 -newkey rsa:2048 -nodes -days 2';
  await shell(`openssl req ${kind} ${names} -keyout ${key} -out ${CERTIFICATE} 2>&1`);
  appendFileSync('/etc/hosts', `\n127.0.0.1 ${DOMAIN}\n`);
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(CERTIFICATE, 'utf8')]);
}

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFailed, test } from 'vitest';
import { receiptsAmong, startMailServer } from '../../apps/server/test/support/mail-server.ts';
import { serveS3 } from '../../packages/adapters-files/test/serve-s3.ts';
import { undoLater } from '../../test/undo.ts';
import {
  interpolate,
  parseAssignments,
  parseEnvironmentFile,
  readCompose,
  readImage,
} from './deploy-files.ts';
import { type Confined, runConfined, shell, startConfined } from './machine.ts';
import { startDebianPostgres } from './postgres.ts';

const tarball = process.env.HANDOVER_RELEASE ?? '';
const deploy = '/opt/handover/deploy';
const ROOT_CERTIFICATE = '/etc/root.crt';

test('compose.yaml migrates, starts web and worker from the image, and delivers an order through Caddy', async () => {
  await prepareMachine();
  const { service, environment } = await readDeployment();
  const mails = await startMailServer(1025);
  const s3 = await serveS3({ port: 9000, bucket: 'handover' });
  undoLater(s3.stop);

  expect(await runConfined(service('migrate'))).toContain('The database is up to date');
  const web = startConfined(service('web'));
  undoLater(web.stop);
  // In Docker each has a network of its own; here both have one, and one port for metrics is taken.
  const working = service('worker');
  const worker = startConfined({ ...working, env: { ...working.env, METRICS_PORT: '9465' } });
  undoLater(worker.stop);
  onTestFailed(() => console.error(web.log(), worker.log()));
  const [health = ''] = wordsOf('HEALTHCHECK').map((words) => words.split(' CMD ')[1] ?? '');
  const check = (name: string) => runConfined({ ...service(name), command: JSON.parse(health) });
  await expect.poll(() => check('web').then(() => 'healthy', String)).toBe('healthy');
  await check('worker');
  await startCaddy(environment('proxy'));

  const handover = (...words: readonly string[]) =>
    runConfined({
      ...service('web', words),
      env: { ...service('web').env, NODE_EXTRA_CA_CERTS: ROOT_CERTIFICATE },
    });
  const made = await handover(
    'org',
    'create',
    '--name',
    'Halo Audio',
    '--owner-email',
    'you@example.com',
    '--json',
  );
  const { orgId } = JSON.parse(made);
  const org = ['--org', orgId];
  await handover('product', 'create', ...org, '--name', 'Halo Pads');
  const version = ['--product', 'halo-pads', '--version', '1.0', '--activate'];
  await handover('product', 'upload', '/opt/handover/LICENSE', ...org, ...version);
  await handover('product', 'publish', ...org, '--product', 'halo-pads');
  await handover(
    'integration',
    'set',
    ...org,
    '--platform',
    'storefront-a',
    '--secret',
    'sixteen characters',
  );
  const said = await handover('simulate', 'storefront-a', ...org, '--sku', 'halo-pads');
  expect(said).toContain('The webhook log says: success.');

  const [receipt] = receiptsAmong(await mails.waitForMails(1));
  const [link = ''] = /https:\S+\/d\/\S+/.exec(receipt?.text ?? '') ?? [];
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(ROOT_CERTIFICATE, 'utf8')]);
  const file = await fetch(`${link}/files/1.0/LICENSE`);
  expect([file.status, await file.text()]).toEqual([200, readFileSync('/opt/handover/LICENSE', 'utf8')]);

  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
  await expect(check('web')).rejects.toThrow();
});

/** What Docker does: the names of services, the files of the image, PostgreSQL with a password. */
async function prepareMachine(): Promise<void> {
  appendFileSync('/etc/hosts', '\n127.0.0.1 get.example.com web database minio mail\n');
  await shell(`tar --extract --file=${tarball} --directory=/opt --no-same-owner`);
  await shell(`mv /opt/${basename(tarball, '.tar.gz')} /opt/handover`);
  await shell('install --directory --owner=65532 --group=65532 /var/lib/handover');
  undoLater(await startDebianPostgres());
  await shell(`runuser -u postgres -- psql --command="create role handover login password 'database'"`);
  await shell('runuser -u postgres -- createdb --owner=handover handover');
}

async function readDeployment() {
  const variables = {
    ...parseEnvironmentFile(readFileSync(`${deploy}/env.example`, 'utf8')),
    SMTP_URL: 'smtp://mail:1025',
    HANDOVER_SECRET: (await shell('openssl rand -hex 32')).trim(),
    POSTGRES_PASSWORD: 'database',
    MINIO_PASSWORD: 'S3RVER',
  };
  const { services } = readCompose(deploy);
  const environment = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, text]) => [
        key,
        interpolate(text, variables),
      ]),
    );
  const [user = '', group = ''] = wordsOf('USER').join('').split(':');
  const [entry = '[]'] = wordsOf('ENTRYPOINT');
  const [usual = '[]'] = wordsOf('CMD');
  const service = (
    name: string,
    words: readonly string[] = services[name]?.command ?? JSON.parse(usual),
  ): Confined => ({
    command: [...JSON.parse(entry), ...words],
    user,
    group,
    cwd: wordsOf('WORKDIR').join(''),
    umask: '0022',
    writable: wordsOf('VOLUME'),
    // The S3 server from npm knows one account only.
    env: { ...parseAssignments(wordsOf('ENV').join(' ')), ...environment(name), AWS_ACCESS_KEY_ID: 'S3RVER' },
  });
  return { service, environment };
}

function wordsOf(name: string): readonly string[] {
  return readImage(deploy)
    .filter((line) => line.name === name)
    .map(({ words }) => words);
}

/** With a certificate of its own authority: nobody gives one to this machine. */
async function startCaddy(environment: Readonly<Record<string, string>>): Promise<void> {
  const file = '/etc/caddy/Caddyfile';
  const options = '{\n\tlocal_certs\n\tskip_install_trust\n}\n';
  writeFileSync(file, `${options}${readFileSync(`${deploy}/Caddyfile`, 'utf8')}`);
  const env = {
    ...environment,
    XDG_DATA_HOME: '/var/lib/caddy',
    XDG_CONFIG_HOME: '/var/lib/caddy',
    HOME: '/root',
  };
  // It stays, with the output that it was given.
  await shell(`caddy start --config ${file} > /dev/null 2>&1`, env);
  await shell(`install --mode=0644 /var/lib/caddy/caddy/pki/authorities/local/root.crt ${ROOT_CERTIFICATE}`);
  undoLater(() => shell('caddy stop 2>&1', env));
}

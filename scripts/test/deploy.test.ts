import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../apps/server/src/settings/settings.ts';
import {
  interpolate,
  parseAssignments,
  parseEnvironmentFile,
  parseUnit,
  readCompose,
  readImage,
} from '../../checks/release/deploy-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deploy = join(root, 'deploy');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const settings = listSettings();
const unit = parseUnit(read('deploy/systemd/handover.service'));
const { services } = readCompose(deploy);
const example = parseEnvironmentFile(read('deploy/env.example'));
const image = readImage(deploy);
const wordsOf = (name: string) => image.filter((line) => line.name === name).map(({ words }) => words);

describe('the units of systemd', () => {
  test('start bin/handover serve as an ordinary user, and let it drain', () => {
    expect(unit.Service).toMatchObject({
      ExecStart: ['/opt/handover/bin/handover serve'],
      User: ['handover'],
      EnvironmentFile: ['/etc/handover/handover.env'],
      TimeoutStopSec: ['65'],
      Restart: ['always'],
    });
  });

  test('let the process write to its own directories only', () => {
    expect(unit.Service).toMatchObject({
      StateDirectory: ['handover'],
      CacheDirectory: ['handover'],
      ProtectSystem: ['strict'],
      ProtectHome: ['yes'],
      NoNewPrivileges: ['yes'],
      CapabilityBoundingSet: [''],
      PrivateTmp: ['yes'],
      RestrictSUIDSGID: ['yes'],
    });
  });

  test('are the same for one of several processes, but for its role and its own settings', () => {
    const one = parseUnit(read('deploy/systemd/handover@.service'));
    expect(one.Service?.Environment).toEqual(['ROLE=%i', ...(unit.Service?.Environment ?? [])]);
    // After the settings of all, so that it wins: two processes cannot share a METRICS_PORT.
    const files = [...(unit.Service?.EnvironmentFile ?? []), '-/etc/handover/%i.env'];
    expect(one.Service?.EnvironmentFile).toEqual(files);
    const alike = { Environment: null, EnvironmentFile: null };
    expect({ ...one.Service, ...alike }).toEqual({ ...unit.Service, ...alike });
    expect(one.Install).toEqual(unit.Install);
  });

  test('get settings that the server accepts, once the secret is filled in', () => {
    const variables = parseEnvironmentFile(read('deploy/handover.env'));
    for (const name of Object.keys(variables)) expect(settings).toContain(name);
    expect(readSettings(variables)).toEqual({
      problems: [{ name: 'HANDOVER_SECRET', problem: expect.anything() }],
    });
    expect(readSettings({ ...variables, HANDOVER_SECRET: 'x'.repeat(64) })).toHaveProperty('settings');
  });
});

describe('the Dockerfile', () => {
  test('has no error or warning', () => {
    expect(validate(read('deploy/Dockerfile'))).toEqual([]);
  });

  test('makes an image of the release and a Node without npm, for a user that is not root', () => {
    expect(image[0]?.words).toMatch(/^gcr\.io\/distroless\//);
    expect(wordsOf('COPY').map((words) => words.split(' ').at(-1))).toEqual([
      '/usr/local/bin/node',
      '/opt/handover',
      '/var/lib/handover',
    ]);
    expect(wordsOf('RUN')).toEqual([]);
    expect(wordsOf('USER')).toEqual(['65532:65532']);
  });

  test('starts the program of the unit, with settings that there are', () => {
    const [entry = '[]'] = wordsOf('ENTRYPOINT');
    const [command = '[]'] = wordsOf('CMD');
    const [, program, ...words] = [...JSON.parse(entry), ...JSON.parse(command)];
    expect([[program, ...words].join(' ')]).toEqual(unit.Service?.ExecStart);
    const { HOME, ...variables } = parseAssignments(wordsOf('ENV').join(' '));
    for (const name of Object.keys(variables)) expect(settings).toContain(name);
    expect(HOME).toBe(variables.DATA_DIR);
    expect(wordsOf('EXPOSE')).toEqual([variables.PORT]);
    expect(wordsOf('VOLUME')).toEqual([variables.DATA_DIR]);
  });

  test('checks its health with Node', () => {
    expect(wordsOf('HEALTHCHECK')[0]).toContain(
      'CMD ["/usr/local/bin/node", "/opt/handover/deploy/healthcheck.js"]',
    );
  });
});

describe('compose.yaml', () => {
  test('has no error or warning', () => {
    const rules = {
      // Read from the outside in, and what belongs together stands together.
      'service-keys-order': 0,
      'services-alphabetical-order': 0,
      'top-level-properties-order': 0,
      'require-quotes-in-ports': [1, { quoteType: 'double' }],
      // The proxy is for the world; the next test looks at all others.
      'no-unbound-port-interfaces': 0,
    };
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const [found] = linter.lintFiles([join(deploy, 'compose.yaml')], false);
    expect(found?.messages).toEqual([]);
  });

  test('opens the proxy alone to other machines', () => {
    const open = Object.entries(services).filter(([, { ports = [] }]) =>
      ports.some((port) => !port.startsWith('127.0.0.1:')),
    );
    expect(open.map(([name]) => name)).toEqual(['proxy']);
  });

  test('runs Handover as web and as worker, read-only and without rights', () => {
    const ours = Object.entries(services).filter(([, service]) => service.build !== undefined);
    expect(ours.map(([name, { environment, command }]) => [name, environment?.ROLE ?? command?.[0]])).toEqual(
      [
        ['migrate', 'migrate'],
        ['web', 'web'],
        ['worker', 'worker'],
      ],
    );
    for (const [, service] of ours)
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  test('gives Handover settings that the server accepts, and env.example all that they need', () => {
    const filled = {
      ...example,
      HANDOVER_SECRET: 'x'.repeat(64),
      POSTGRES_PASSWORD: 'p',
      MINIO_PASSWORD: 'm',
    };
    for (const name of ['migrate', 'web', 'worker']) {
      const environment = Object.entries(services[name]?.environment ?? {});
      for (const [key] of environment) expect(settings).toContain(key);
      const variables = Object.fromEntries(
        environment.map(([key, text]) => [key, interpolate(text, filled)]),
      );
      const inside = parseAssignments(wordsOf('ENV').join(' '));
      expect(readSettings({ ...inside, ...variables })).toHaveProperty('settings');
    }
    const used = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect([...new Set(used)].filter((name) => name !== 'HANDOVER_TAG').sort()).toEqual(
      Object.keys(example).sort(),
    );
  });

  test('has Prometheus scrape every process of ours, where its metrics are', () => {
    const { scrape_configs: scrapes } = parse(read('deploy/prometheus/compose.yml'));
    expect(scrapes).toHaveLength(1);
    const [{ authorization, dns_sd_configs: found }] = scrapes;
    expect(found).toEqual([expect.objectContaining({ names: ['web', 'worker'], type: 'A', port: 9464 })]);
    for (const name of ['web', 'worker'])
      expect(services[name]?.environment).toMatchObject({ METRICS_PORT: '9464' });
    expect(authorization.credentials_file).toBe('/run/secrets/metrics-token');
    expect(parse(read('deploy/compose.yaml')).secrets['metrics-token']).toEqual({
      environment: 'METRICS_TOKEN',
    });
  });

  test('watches and restarts everything that lasts', () => {
    const lasting = Object.entries(services).filter(([, { restart }]) => restart !== 'on-failure:3');
    // Ours are watched by the image.
    expect(lasting.map(([name]) => name)).toEqual([
      'web',
      'worker',
      'database',
      'minio',
      'proxy',
      'mail',
      'prometheus',
    ]);
    const watched = lasting.filter(([, { build, healthcheck }]) => build || healthcheck?.test.length);
    expect(watched).toEqual(lasting);
    for (const [, { restart }] of lasting) expect(restart).toBe('unless-stopped');
    expect(services).toMatchObject({
      database: { image: 'postgres:18' },
      minio: { image: expect.stringMatching(/^minio\/minio:RELEASE/) },
      mail: { profiles: ['mail-catcher'] },
      prometheus: { profiles: ['metrics'] },
      proxy: { image: 'caddy:2' },
    });
  });
});

test('docs/hardening.md shows the configuration of nginx and Caddy that is in deploy', () => {
  const hardening = read('docs/hardening.md');
  const shown = (language: string) => hardening.split(`\`\`\`${language}\n`)[1]?.split('```')[0];
  expect(read('deploy/nginx.conf').split('\n').slice(1).join('\n')).toBe(shown('nginx'));
  const caddy = read('deploy/Caddyfile').split('\n').slice(1).join('\n');
  expect(caddy.replaceAll(/\{\$\w+:(get\.example\.com|127\.0\.0\.1:3000)\}/g, '$1')).toBe(shown('caddy'));
});

describe('the command of an installation', () => {
  // In the place of the one that becomes the user of the service.
  const folder = mkdtempSync(join(tmpdir(), 'handover-command-'));
  writeFileSync(join(folder, 'setpriv'), '#!/bin/sh\necho "$HANDOVER_SECRET $DATA_DIR" "$@"\n', {
    mode: 0o755,
  });
  writeFileSync(join(folder, 'handover.env'), 'HANDOVER_SECRET="a secret"\n');
  const script = read('deploy/handover-command').replace('/etc/handover/', `${folder}/`);
  const run = (env: Readonly<Record<string, string>> = {}) =>
    execFileSync('/bin/sh', ['-c', script, 'handover', 'migrate'], {
      env: { PATH: `${folder}:/usr/bin:/bin`, ...env },
      encoding: 'utf8',
    });
  const user = 'a secret /var/lib/handover --reuid handover --regid handover --init-groups --';

  test('runs the installed version with the settings and the user of the service', () => {
    expect(run()).toBe(`${user} /opt/handover/bin/handover migrate\n`);
  });

  test('runs another version by its folder, so that it can migrate beside the servers of the installed one', () => {
    expect(run({ HANDOVER_FOLDER: '/opt/handover-2' })).toBe(
      `${user} /opt/handover-2/bin/handover migrate\n`,
    );
  });
});

function listSettings(): readonly string[] {
  const [, table = ''] = /## Settings\n([\s\S]*?)\n## /.exec(read('README.md')) ?? [];
  return [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? []);
}

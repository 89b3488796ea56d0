// `npm run watch-check`: checks rules, their tests and the scrape with Debian's Prometheus, and lets it scrape a server.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startTrialServer } from '../../bench/trial-server.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { endProcess } from '../../test/end-process.ts';
import { installDebianPackages } from '../debian-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'deploy/prometheus');
const WAIT_TIMEOUT_MS = 60_000;

interface Answer {
  readonly data: {
    readonly result?: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly string[];
    }[];
    readonly groups?: readonly {
      readonly rules: readonly {
        readonly name: string;
        readonly health: string;
        readonly lastError?: string;
      }[];
    }[];
  };
}

installDebianPackages(['prometheus']);
promtool('check', 'rules', join(folder, 'alerts.yml'));
promtool('check', 'config', join(folder, 'prometheus.yml'));
promtool('test', 'rules', join(folder, 'alerts.test.yml'));
await scrapeServer();
console.log('Rules, their tests, the scrape and the dashboard are in order.');

function promtool(...words: readonly string[]): void {
  execFileSync('promtool', words, { stdio: 'inherit' });
}

/** A real server, scraped by a real Prometheus, which evaluates every rule and every panel. */
async function scrapeServer(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'handover-watch-'));
  const server = await startTrialServer();
  copyFileSync(join(folder, 'alerts.yml'), join(directory, 'alerts.yml'));
  const example = readFileSync(join(folder, 'prometheus.yml'), 'utf8');
  writeFileSync(
    join(directory, 'prometheus.yml'),
    example.replace('127.0.0.1:3000', `127.0.0.1:${new URL(server.url).port}`).replaceAll('15s', '1s'),
  );
  const port = await findFreePort();
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  try {
    await checkScrape(`http://127.0.0.1:${port}`);
  } finally {
    await endProcess(prometheus);
    await server.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function checkScrape(url: string): Promise<void> {
  const ask = async (path: string): Promise<Partial<Answer>> => {
    const response = await fetch(`${url}/api/v1/${path}`);
    // While it starts, it answers 503; a wrong query is 400.
    return response.ok ? (response.json() as Promise<Answer>) : {};
  };
  const query = async (expr: string) => (await ask(`query?query=${encodeURIComponent(expr)}`)).data?.result;
  await until('the database is up in Prometheus', async () => {
    const [series] = (await query('handover_database_up{job="handover", role="all"}')) ?? [];
    return series?.value[1] === '1';
  });
  await until('every rule was evaluated', async () => {
    const rules = (await ask('rules')).data?.groups?.flatMap((group) => group.rules) ?? [];
    const broken = rules.filter(({ health }) => health === 'err');
    if (broken.length > 0)
      throw new Error(broken.map(({ name, lastError }) => `${name}: ${lastError}`).join('\n'));
    return rules.length > 0 && rules.every(({ health }) => health === 'ok');
  });
  for (const expr of listPanels()) {
    if ((await query(expr)) === undefined)
      throw new Error(`Prometheus does not understand the panel ${expr}.`);
  }
}

function listPanels(): readonly string[] {
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/handover.json'), 'utf8')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  while (!(await isSo().catch((error) => (error instanceof TypeError ? false : Promise.reject(error))))) {
    if (Date.now() > deadline) throw new Error(`It was not so within ${WAIT_TIMEOUT_MS / 1000} s: ${what}.`);
    await pause(200);
  }
  console.log(`  ${what}`);
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../apps/server/src/telemetry/metrics.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  }[];
}

const alerts = (parse(read('deploy/prometheus/alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read('deploy/grafana/handover.json')) as Dashboard;
const runbook = read('docs/operating.md');

async function listMetrics() {
  const metrics = createMetrics({ role: 'all', version: '1', platforms: [] });
  return metrics.registry.getMetricsAsJSON();
}

/** Every series that a process has. */
async function listSeries(): Promise<ReadonlySet<string>> {
  const found = await listMetrics();
  return new Set(
    found.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
}

it('rules and dashboard name metrics that the server has, with labels that they have', async () => {
  const series = await listSeries();
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = new Set(
    expressions.flatMap((expr) => expr.match(/\b(handover|nodejs|process)_[a-z0-9_]+/g) ?? []),
  );
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((name) => !series.has(name))).toEqual([]);
});

it('the dashboard shows every metric of our own', async () => {
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
  const ours = (await listMetrics()).map(({ name }) => name).filter((name) => name.startsWith('handover_'));
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});

it('the panels of the dashboard do not overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

it('the runbook has a section for each alert, which says what it means, what to look at and what to do', () => {
  const sections = new Map(
    runbook
      .split(/^### /m)
      .slice(1)
      .map((text) => [text.split('\n', 1)[0] ?? '', text] as const),
  );
  expect([...sections.keys()]).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, annotations } of alerts) {
    expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    for (const part of ['**Means:**', '**Look at:**', '**Do:**'])
      expect(sections.get(alert), alert).toContain(part);
  }
});

it('each alert has a test of its own', () => {
  const tests = read('deploy/prometheus/alerts.test.yml');
  const raised = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts/g)].map(([, name]) => name);
  expect(alerts.filter(({ alert }) => !raised.includes(alert))).toEqual([]);
});

it('the runbook lists every metric of our own with its type and labels, and no other', async () => {
  const metrics = createMetrics({ role: 'all', version: '1', platforms: [] });
  const listed = [...runbook.matchAll(/^\| `(handover_[a-z_]+)` +\| (\w+) +\| ([^|]*)\|/gm)].map(
    ([, name, type, labels = '']) =>
      [name, type, [...(labels.match(/[a-z]+/g) ?? [])].sort().join()].join(' '),
  );
  const registered = (await metrics.registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith('handover_'))
    .map(({ name, type }) => {
      const metric = metrics.registry.getSingleMetric(name) as unknown as {
        readonly labelNames: readonly string[];
      };
      return [
        name,
        String(type),
        [...metric.labelNames]
          .filter((label) => label !== 'le')
          .sort()
          .join(),
      ].join(' ');
    });
  expect(listed.sort()).toEqual(registered.sort());
});

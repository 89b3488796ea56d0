import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SWEEPS } from '../../packages/adapters-postgres/src/index.ts';
import type { TestStores } from '../../packages/adapters-postgres/src/testing/index.ts';
import { storesContract } from '../../packages/testkit/src/index.ts';
import { shareInFile } from '../../test/undo.ts';
import { type Execution, planStatement } from './count-shards.ts';
import { startNodes } from './nodes.ts';
import { openCitusStores } from './open-citus-stores.ts';

const nodes = shareInFile(startNodes);
/** A partition of the bodies is dropped in time. What is sent to it is planned on the one that stays. */
const WEEK = /delivery_bodies_\d{8}/g;
const DEFAULT_WEEK = 'delivery_bodies_default';
/** Each statement of the stores, with the values of its last use. */
const statements = new Map<string, readonly unknown[]>();
let opened: TestStores;

beforeAll(async () => {
  opened = await openCitusStores(nodes(), 'stores');
  const { query: send } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given;
    const { text, values } =
      typeof first === 'object' && first !== null
        ? { text: Reflect.get(first, 'text'), values: Reflect.get(first, 'values') ?? second }
        : { text: first, values: second };
    // Only the stores send values: the test's own statements are plain text.
    if (typeof text === 'string' && text.includes('$1') && Array.isArray(values))
      statements.set(text.replaceAll(WEEK, DEFAULT_WEEK), values);
    return Reflect.apply(send, this, given);
  });
});

afterAll(async () => {
  vi.restoreAllMocks();
  await opened.close();
});

describe('the PostgreSQL stores on Citus', () => {
  storesContract({ describe, it, expect }, async () => {
    await opened.clear();
    return opened;
  });

  it('ask one shard with every statement but the sweeps', async () => {
    vi.restoreAllMocks();
    const executions = await planAll(opened.url);
    const ofKind = (wanted: (execution: Execution) => boolean) =>
      executions.filter(({ execution }) => wanted(execution));
    const over = ofKind((execution) => execution.kind === 'shards' && execution.count > 1);
    const sweepOf = (text: string) => SWEEPS.find(({ names }) => text.includes(names));
    console.log(
      [
        `statements on the coordinator alone: ${ofKind(({ kind }) => kind === 'coordinator').length}`,
        `of one shard: ${ofKind((execution) => execution.kind === 'shards' && execution.count <= 1).length}`,
        `rows sent to their shard: ${ofKind(({ kind }) => kind === 'rows').length}`,
        `of several shards: ${over.length}`,
        ...ofKind(({ kind }) => kind === 'refused').map(
          ({ text, execution }) => `  REFUSED ${JSON.stringify(execution)}\n    ${shorten(text)}`,
        ),
        ...over.map(({ text }) => `  ${sweepOf(text)?.why ?? 'UNEXPECTED'}\n    ${shorten(text)}`),
      ].join('\n'),
    );
    expect(executions.length).toBeGreaterThan(200);
    expect(over.filter(({ text }) => !sweepOf(text)).map(({ text }) => text)).toEqual([]);
    expect(ofKind(({ kind }) => kind === 'refused')).toEqual([]);
  });
});

interface Planned {
  readonly text: string;
  readonly execution: Execution;
}

async function planAll(url: string): Promise<readonly Planned[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const planned: Planned[] = [];
  for (const [text, values] of statements)
    planned.push({ text, execution: await planStatement(client, text, values) });
  await client.end();
  return planned;
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 150);
}

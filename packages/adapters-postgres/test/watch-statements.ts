import pg from 'pg';
import { vi } from 'vitest';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * The statements that this process sends to one database meanwhile. Files run one after the other in one process: what
 * another one still sends to its own database does not count.
 */
export async function watchStatements<Result>(
  { url }: { readonly url: string },
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly statements: readonly Statement[] }> {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    const clients = asked.mock.contexts as readonly pg.Client[];
    const database = new URL(url).pathname.slice(1);
    const own = asked.mock.calls.filter((_, at) => clients[at]?.database === database);
    return { result, statements: own.map(([first, second]: unknown[]) => readStatement(first, second)) };
  } finally {
    asked.mockRestore();
  }
}

function readStatement(first: unknown, second: unknown): Statement {
  if (typeof first === 'object' && first !== null && 'text' in first) return first as Statement;
  return { text: String(first), values: Array.isArray(second) ? second : [] };
}

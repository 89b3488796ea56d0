import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { awaitEnd } from '../../test/end-process.ts';
import { awaitPort } from './await-port.ts';

export interface Ceiling {
  readonly url: string;
  close(): Promise<void>;
}

/** `header`: the header with the HMAC of a body. `json`: its response to every GET. `inserts`: whether it keeps the bodies. */
export async function startCeiling(options: {
  readonly databaseUrl: string;
  readonly header?: string;
  readonly secret?: string;
  readonly json?: unknown;
  readonly inserts?: boolean;
}): Promise<Ceiling> {
  const child = fork(fileURLToPath(new URL('./ceiling-server.ts', import.meta.url)), {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      CEILING: JSON.stringify({ header: '', secret: '', json: null, inserts: true, ...options }),
    },
  });
  const port = await awaitPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => void (await awaitEnd(child, () => child.disconnect())),
  };
}

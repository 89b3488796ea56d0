import { type FastifyInstance, fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { undoLater } from '../../../test/undo.ts';
import { mountHttpApp } from '../src/index.ts';

/** A host with an app at the prefix, which answers two paths of its own. */
async function mount(prefix: string, prepare: (host: FastifyInstance) => void = () => undefined) {
  const app = fastify();
  app.register(async (routes) => {
    routes.get('/dashboard', async () => 'dashboard');
    routes.post('/webhooks/:orgId', async ({ body }) => body);
    routes.get('/assets/page.:hash(^[0-9a-f]{12}).js', async () => 'ours');
  });
  const host = fastify();
  undoLater(() => host.close());
  prepare(host);
  const { plugin } = mountHttpApp(async () => ({ app }), `http://shop.test${prefix}`);
  await host.register(plugin, { prefix });
  return host;
}

const keepOut = async (_request: unknown, reply: { code(status: number): { send(body: string): unknown } }) =>
  reply.code(403).send('keep out');

describe.each(['', '/downloads'])('mounted at “%s”', (prefix) => {
  const requests = [
    { method: 'GET', url: `${prefix}/dashboard?page=2` },
    { method: 'POST', url: `${prefix}/webhooks/lumen`, payload: { id: 1 } },
    { method: 'GET', url: `${prefix}/nowhere` },
  ] as const;

  const ask = async (host: FastifyInstance) => {
    const answers = await Promise.all(requests.map((request) => host.inject(request)));
    return answers.map(({ statusCode, body }) => [statusCode, body]);
  };

  it('answers what is its own', async () => {
    const [dashboard, webhook, nowhere] = await ask(await mount(prefix));
    expect([dashboard, webhook]).toEqual([
      [200, 'dashboard'],
      [200, '{"id":1}'],
    ]);
    // Below a prefix the app says so itself, of its own path.
    expect(nowhere).toEqual([404, expect.stringContaining('Route GET:/nowhere not found')]);
  });

  it('leaves the files of the host that are beside its own to the host', async () => {
    const host = await mount(prefix, (unready) => unready.get('/assets/*', async () => 'of the host'));
    const read = async (name: string) => (await host.inject(`${prefix}/assets/${name}`)).body;
    expect(await read('page.0123456789ab.js')).toBe('ours');
    if (prefix === '') expect(await read('page.js')).toBe('of the host');
  });

  it('lets an onRequest hook keep requests out that the host adds after it', async () => {
    const host = await mount(prefix);
    host.addHook('onRequest', keepOut);
    expect(await ask(host)).toEqual(requests.map(() => [403, 'keep out']));
  });

  it('lets an onRequest hook keep requests out that the host gives each route', async () => {
    const host = await mount(prefix, (unready) =>
      unready.addHook('onRoute', (route) => {
        route.onRequest = [route.onRequest ?? [], keepOut].flat();
      }),
    );
    const [dashboard, webhook] = await ask(host);
    expect([dashboard, webhook]).toEqual([
      [403, 'keep out'],
      [403, 'keep out'],
    ]);
  });
});

describe('registered a second time', () => {
  it.each(['in the same host', 'in another host'])('says so and names the remedy: %s', async (where) => {
    const mounted = mountHttpApp(async () => ({ app: fastify() }), 'http://shop.test');
    const [host, other] = [fastify(), fastify()];
    undoLater(() => Promise.all([host.close(), other.close()]));
    await host.register(mounted.plugin);
    const again = async () => (where === 'in the same host' ? host : other).register(mounted.plugin);
    await expect(again()).rejects.toMatchObject({
      name: 'MountedTwiceError',
      code: 'mounted-twice',
      message: expect.stringContaining('Register it once'),
    });
  });

  it('is possible after the first one failed', async () => {
    let isThere = false;
    const mounted = mountHttpApp(async () => {
      if (!isThere) throw new Error('The database is away.');
      return { app: fastify() };
    }, 'http://shop.test');
    const [host, other] = [fastify(), fastify()];
    undoLater(() => Promise.all([host.close(), other.close()]));
    await expect((async () => host.register(mounted.plugin))()).rejects.toThrow('The database is away.');
    isThere = true;
    await other.register(mounted.plugin);
    expect((await other.inject('/')).statusCode).toBe(404);
  });
});

describe('a stop', () => {
  it('waits for work that goes on after an answer', async () => {
    const work = Promise.withResolvers<void>();
    const { drain, isDrained } = await openDraining(() => work.promise, 20_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained()).toBe(false);
    work.resolve();
    await drain;
    expect(isDrained()).toBe(true);
  });

  it('waits for it no longer than it may', async () => {
    const { drain } = await openDraining(() => new Promise(() => undefined), 50);
    await drain;
  });
});

/** An app that is told to stop, and does this before it is closed. */
async function openDraining(onClose: () => Promise<void>, limitMs: number) {
  const app = fastify();
  app.addHook('onClose', onClose);
  const mounted = mountHttpApp(async () => ({ app }), 'http://shop.test');
  const host = fastify();
  undoLater(() => host.close());
  await host.register(mounted.plugin);
  let isDrained = false;
  const drain = mounted.drain(limitMs).then(() => {
    isDrained = true;
  });
  return { drain, isDrained: () => isDrained };
}

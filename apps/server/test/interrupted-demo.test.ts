import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OUR_PLATFORMS, updateProduct } from '@handover/domain';
import { createInMemoryFileStore, createInMemoryStores } from '@handover/domain/memory';
import { createCountingIds, createFakeApiKeys, createManualClock } from '@handover/testkit';
import { expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { openDemo } from '../src/demo/open-demo.ts';

type Ports = Parameters<typeof openDemo>[0];

function openPorts(): Ports {
  return {
    ...createInMemoryStores(),
    apiKeys: createFakeApiKeys(),
    clock: createManualClock(),
    files: createInMemoryFileStore((content) => hash('sha256', content, 'hex')),
    ids: createCountingIds(),
    platforms: OUR_PLATFORMS,
  };
}

/** Ports that are gone after so many calls, as those of a server that is stopped. */
function stopAfter(ports: Ports, calls: number): Ports {
  let left = calls;
  const stoppable = <Port extends object>(port: Port) =>
    new Proxy(port, {
      get: (target, name, receiver) => {
        const method = Reflect.get(target, name, receiver);
        if (typeof method !== 'function') return method;
        return (...given: unknown[]) => {
          left -= 1;
          if (left < 0) throw new Error('The server was stopped.');
          return method.apply(target, given);
        };
      },
    });
  const { organisations, users, connections, products, files } = ports;
  return {
    ...ports,
    organisations: stoppable(organisations),
    users: stoppable(users),
    connections: stoppable(connections),
    products: stoppable(products),
    files: stoppable(files),
  };
}

it('a demo whose creation was stopped anywhere is completed by the next start', async () => {
  let isStopped = true;
  let calls = 0;
  for (; isStopped; calls += 1) {
    const dataDir = await makeTemporaryDirectory();
    const ports = openPorts();
    isStopped = await openDemo(stopAfter(ports, calls), dataDir).then(
      () => false,
      () => true,
    );
    const demo = await openDemo(ports, dataDir);
    expect(await openDemo(ports, dataDir)).toEqual(demo);
    const organisations = await ports.organisations.list({ after: null, limit: 9 });
    expect(organisations.map(({ id, name }) => [id, name])).toEqual([[demo?.orgId, 'Lumen Audio']]);
    const orgId = demo?.orgId ?? '';
    expect(await ports.users.findByKeyHash(ports.apiKeys.hash(demo?.apiKey ?? '') ?? '')).not.toBeNull();
    expect((await ports.users.find({ email: demo?.ownerEmail ?? '' }))?.membership?.orgId).toBe(orgId);
    const product = await ports.products.findBySlug(orgId, demo?.sku ?? '');
    expect(product?.status).toBe('published');
    const version = await ports.products.findVersion(
      orgId,
      product?.id ?? '',
      product?.activeVersionId ?? '',
    );
    expect(version?.files.map(({ name }) => name)).toEqual(['felt-piano-a3.wav', 'read-me.txt']);
    for (const platform of ['storefront-a', 'cart-a']) {
      expect(await ports.connections.list(orgId, platform, ports.clock.now())).toHaveLength(1);
    }
  }
  expect(calls).toBeGreaterThan(20);
});

it('a demo whose record is lost keeps its product archived', async () => {
  const dataDir = await makeTemporaryDirectory();
  const ports = openPorts();
  const demo = await openDemo(ports, dataDir);
  const orgId = demo?.orgId ?? '';
  const product = await ports.products.findBySlug(orgId, demo?.sku ?? '');
  await updateProduct(ports, orgId, product?.id ?? '', { status: 'archived' });
  await rm(join(dataDir, 'demo.json'));
  expect(await openDemo(ports, dataDir)).toEqual(demo);
  expect((await ports.products.findBySlug(orgId, demo?.sku ?? ''))?.status).toBe('archived');
});

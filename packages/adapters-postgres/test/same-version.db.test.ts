import { activateVersion, createVersion, updateProduct } from '@handover/domain';
import { beforeEach, expect, it } from 'vitest';
import { ids, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

it('a version that is live already changes nothing, however its id is written', async () => {
  const { orgId, product } = shop;
  // An id with letters.
  for (let id = ''; !/[a-e]$/.test(id); id = ids.next());
  const made = await createVersion(ports(), orgId, product.id, '2.0');
  const versionId = made.kind === 'created' ? made.version.id : '';
  await ports().products.putFile(orgId, versionId, { name: 'a.zip', size: 1, sha256: 'a'.repeat(64) });
  await activateVersion(ports(), orgId, product.id, versionId);
  const live = await ports().products.find(orgId, product.id);
  const written = versionId.toUpperCase();
  expect(written).not.toBe(versionId);
  const activated = await activateVersion(ports(), orgId, product.id, written);
  expect(activated).toMatchObject({ kind: 'activated', product: live });
  const updated = await updateProduct(ports(), orgId, product.id, { activeVersionId: written });
  expect(updated).toEqual({ kind: 'updated', product: live });
});

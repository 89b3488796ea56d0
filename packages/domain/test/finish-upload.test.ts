import type { StagedUploads } from '@handover/domain';
import { activateVersion, createVersion, finishUpload } from '@handover/domain';
import { createInMemoryStores } from '@handover/domain/memory';
import { createCountingIds, createFakeApiKeys, createManualClock, openShop } from '@handover/testkit';
import { describe, expect, it } from 'vitest';

const SHA = 'a'.repeat(64);

/** One staged upload, and what was asked of it. */
function stageOne(content = SHA) {
  const asked: string[] = [];
  let completed: Awaited<ReturnType<StagedUploads['findCompleted']>> = null;
  const uploads: StagedUploads = {
    keep: async (_orgId, _uploadId, expected) => {
      asked.push('keep');
      return expected === null || expected === content ? { size: 5, sha256: content } : 'damaged';
    },
    complete: async (_uploadId, file) => {
      asked.push('complete');
      completed = file;
    },
    findCompleted: async () => completed,
    discard: async () => {
      asked.push('discard');
    },
  };
  return { asked, uploads };
}

async function openUpload(content?: string) {
  const stores = createInMemoryStores();
  const clock = createManualClock();
  const ids = createCountingIds();
  const shop = await openShop({ stores, clock, ids, apiKeys: createFakeApiKeys() });
  const ports = { ...stores, clock, ids, ...stageOne(content) };
  const created = await createVersion(ports, shop.orgId, shop.product.id, '2.0');
  if (created.kind !== 'created') throw new Error(created.kind);
  const { id: versionId, productId } = created.version;
  const upload = { id: 'u', orgId: shop.orgId, productId, versionId, name: 'felt.zip', sha256: null };
  const files = async () => (await stores.products.findVersion(shop.orgId, productId, versionId))?.files;
  return { ports, upload, files, asked: ports.asked };
}

describe('an upload that is whole', () => {
  it('becomes a file, and is completed', async () => {
    const { ports, upload, files, asked } = await openUpload();
    const file = { name: 'felt.zip', size: 5, sha256: SHA };
    expect(await finishUpload(ports, { ...upload, sha256: SHA })).toEqual({
      kind: 'added',
      file,
      isNew: true,
    });
    expect(await files()).toEqual([file]);
    expect(asked).toEqual(['keep', 'complete']);
  });

  it('is not made a file again once it is completed', async () => {
    const { ports, upload, asked } = await openUpload();
    const first = await finishUpload(ports, upload);
    expect(await finishUpload(ports, upload)).toEqual({ ...first, isNew: false });
    expect(asked).toEqual(['keep', 'complete']);
  });

  it('can be finished again when something failed on the way', async () => {
    const { ports, upload, files, asked } = await openUpload();
    const failing = {
      ...ports,
      products: { ...ports.products, putFile: () => Promise.reject(new Error('away')) },
    };
    await expect(finishUpload(failing, upload)).rejects.toThrow('away');
    expect(asked).toEqual(['keep']);
    expect((await finishUpload(ports, upload)).kind).toBe('added');
    expect(await files()).toHaveLength(1);
  });

  it('is not a new file when the program ended before it was completed', async () => {
    const { ports, upload, files, asked } = await openUpload();
    const ending = { ...ports.uploads, complete: () => Promise.reject(new Error('ended')) };
    await expect(finishUpload({ ...ports, uploads: ending }, upload)).rejects.toThrow('ended');
    expect(await files()).toHaveLength(1);
    expect(await finishUpload(ports, upload)).toMatchObject({ kind: 'added', isNew: false });
    expect(asked).toEqual(['keep', 'keep', 'complete']);
  });

  it.each([
    ['its content is another', { sha256: 'b'.repeat(64) }, { kind: 'damaged' }],
    ['its version is unknown', { versionId: 'nowhere' }, { kind: 'unknown-version' }],
    ['its organisation is another', { orgId: 'other' }, { kind: 'unknown-version' }],
    [
      'its name cannot be a file’s',
      { name: '..' },
      { kind: 'invalid', field: 'name', problem: 'must be a file name' },
    ],
  ])('is let go of when %s', async (_why, change, result) => {
    const { ports, upload, files, asked } = await openUpload();
    expect(await finishUpload(ports, { ...upload, ...change })).toEqual(result);
    expect(await files()).toEqual([]);
    expect(asked.at(-1)).toBe('discard');
  });

  it('is let go of when its version went live first', async () => {
    const { ports, upload, files, asked } = await openUpload();
    await finishUpload(ports, upload);
    await activateVersion(ports, upload.orgId, upload.productId, upload.versionId);
    const late = { ...ports, ...stageOne('c'.repeat(64)) };
    expect(await finishUpload(late, upload)).toEqual({ kind: 'frozen' });
    expect(late.asked).toEqual(['discard']);
    expect(await files()).toHaveLength(1);
    expect(asked).toEqual(['keep', 'complete']);
  });
});

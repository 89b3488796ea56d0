import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bearer, createInMemoryFiles, openTestShop } from './open-test-shop.ts';
import { openVersion } from './open-upload.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('base64');

async function upload(headers: Readonly<Record<string, string>>) {
  const files = createInMemoryFiles();
  const testShop = await openTestShop(() => ({ files }));
  const { productId, versionId } = await openVersion(testShop);
  const answer = await testShop.app.inject({
    method: 'PUT',
    url: `/api/products/${productId}/versions/${versionId}/files/felt.zip`,
    headers: { ...bearer(testShop.shop.ownerKey), ...headers },
    payload: 'felt',
  });
  const version = await testShop.stores.products.findVersion(testShop.shop.orgId, productId, versionId);
  const sha256 = createHash('sha256').update('felt').digest('hex');
  const isStored = (await files.open(testShop.shop.orgId, sha256)) !== null;
  return { status: answer.statusCode, error: answer.json().error, files: version?.files.length, isStored };
}

describe('an upload that announces its SHA-256', () => {
  test.each([
    ['repr-digest', `sha-256=:${digest('felt')}:`],
    ['content-digest', `sha-256=:${digest('felt')}:`],
    ['repr-digest', `sha-512=:AAAA:, sha-256=:${digest('felt')}:`],
    ['repr-digest', 'sha-512=:AAAA:'],
    ['repr-digest', 'not-sha-256=:AAAA:'],
  ])('is stored when it matches the digest, by %s: %s', async (name, value) => {
    expect(await upload({ [name]: value })).toEqual({
      status: 201,
      error: undefined,
      files: 1,
      isStored: true,
    });
  });

  test.each(['repr-digest', 'content-digest'])('is not kept when it has another, by %s', async (name) => {
    expect(await upload({ [name]: `sha-256=:${digest('other')}:` })).toEqual({
      status: 400,
      error: expect.stringContaining('SHA-256'),
      files: 0,
      isStored: false,
    });
  });

  test.each(['sha-256=felt', 'sha-256=::', 'sha-256=:AAAA:', `sha-256=${digest('felt')}`])(
    'is not kept when what it announces cannot be read: %s',
    async (value) => {
      expect(await upload({ 'repr-digest': value })).toEqual({
        status: 400,
        error: expect.stringContaining('repr-digest'),
        files: 0,
        isStored: false,
      });
    },
  );
});

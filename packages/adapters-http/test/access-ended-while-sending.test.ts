import { removeUser } from '@handover/domain';
import { expect, test } from 'vitest';
import { type OpenedDashboard, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import {
  beginUpload,
  filesOf,
  HELLO,
  openVersion,
  scriptHeaders,
  sendPiece,
  tusHeaders,
  versionPath,
} from './open-upload.ts';
import { type Signed, sendForm } from './product-page.ts';

/** A large file takes hours. `endAccess` runs when all of it is in, and before it is a file of the version. */
async function openShop() {
  let endAccess = async (): Promise<void> => undefined;
  let watched: unknown = null;
  const dashboard: OpenedDashboard = await openDashboard(({ files, uploads }) => ({
    files: {
      ...files,
      store: async (...given) => {
        const stored = await files.store(...given);
        await endAccess();
        return stored;
      },
    },
    uploads: {
      ...uploads,
      pieces: async () => {
        const pieces = await uploads.pieces();
        if (watched === pieces) return pieces;
        watched = pieces;
        const write = pieces.write.bind(pieces);
        pieces.write = (...given) => write(...given).finally(() => endAccess());
        return pieces;
      },
    },
  }));
  const member = await dashboard.signIn('member');
  const version = await openVersion(dashboard);
  const { orgId, ownerId } = dashboard.shop;
  return {
    dashboard,
    member,
    version,
    key: await keyOf(dashboard, member),
    removeWhileSending: () => {
      endAccess = async () =>
        void (await removeUser(dashboard.ports, { orgId, userId: ownerId }, member.userId, 'member'));
    },
  };
}

async function keyOf({ ports }: OpenedDashboard, { userId }: Signed): Promise<string> {
  const [key] = await ports.userKeys.list(userId);
  if (!key) throw new Error('The user has no key.');
  return ports.apiKeys.reveal(key);
}

test('a file that a key sent whole is not added once its user is removed', async () => {
  const { dashboard, version, key, removeWhileSending } = await openShop();
  const url = `${versionPath(version)}/files/felt.zip`;
  const send = () => dashboard.app.inject({ method: 'PUT', url, headers: bearer(key), payload: HELLO });
  expect((await send()).statusCode).toBe(201);
  removeWhileSending();
  const late = await dashboard.app.inject({
    method: 'PUT',
    url: `${versionPath(version)}/files/late.zip`,
    headers: bearer(key),
    payload: 'other',
  });
  expect([late.statusCode, late.json()]).toEqual([401, { error: expect.stringContaining('access ended') }]);
  expect((await filesOf(dashboard, version)).map(({ name }) => name)).toEqual(['felt.zip']);
});

test.each(['a key', 'a page'])(
  'a file that %s sent in pieces is not added once its user is removed',
  async (by) => {
    const { dashboard, member, version, key, removeWhileSending } = await openShop();
    const sender = by === 'a key' ? tusHeaders(key) : await scriptHeaders(member, version);
    const path = await beginUpload(dashboard, version, HELLO.length, {}, sender);
    removeWhileSending();
    expect((await sendPiece(dashboard, path, 0, HELLO, sender)).statusCode).toBe(401);
    expect(await filesOf(dashboard, version)).toEqual([]);
  },
);

test('a file that a form sent is not added once its user is removed', async () => {
  const { dashboard, member, version, removeWhileSending } = await openShop();
  removeWhileSending();
  const path = `/dashboard/products/${version.productId}/versions/${version.versionId}/files`;
  const answer = await sendForm(dashboard, member, path, 'felt.zip', 'some bytes');
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/dashboard']);
  expect(await filesOf(dashboard, version)).toEqual([]);
});

import {
  addIntegrationSecret,
  addVersionFile,
  createProduct,
  type FilePlace,
  finishUpload,
  listSharedSecrets,
  mapAccount,
  moveVersionFile,
  nameVersionFile,
  removeVersionFile,
  reopenVersion,
  restoreLink,
  revokeLink,
  setAlertAddress,
  setDefaultCurrency,
  setLocale,
  setSharedSecret,
  subjectOfEntry,
  subjectOfReceipt,
  subjectOfRejected,
  unmapAccount,
  updateOrganisation,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import { ACCOUNTS } from '../world/send-order.ts';
import type { Service } from '../world/service.ts';
import { type Action, onPicked, operate, pickRow, pickShop } from './action.ts';
import { pickProduct } from './catalogue.ts';

const OPERATOR = { actor: 'mira@example.com', via: 'api-key' } as const;

/** Settings of an organisation, its connections and its products. */
export const SETTINGS_ACTIONS: readonly Action[] = [
  {
    name: 'the organisation changes',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const name = world.random.pick(['Lumen', 'Nordic', '']);
      return operate(world, `The organisation is renamed to “${name}”`, (service) =>
        updateOrganisation(service, orgId, { name, email: 'shop@example.com' }),
      );
    },
  },
  {
    name: 'the address for alerts changes',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const email = world.random.pick([null, 'alerts@example.com']);
      return operate(world, `Alerts go to ${email ?? 'the owners'}`, (service) =>
        setAlertAddress(service, orgId, email),
      );
    },
  },
  {
    name: 'an action item is dismissed or brought back',
    weight: 8,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const subject = world.random.pick([
        'failed',
        'refused',
        'unmatched',
        ...listSingleSubjects(world, orgId),
      ]);
      const isBack = world.random.below(3) === 0;
      const seenBefore = world.random.pick([0, 0, 60_000]);
      return operate(
        world,
        `“${subject}” is ${isBack ? 'brought back' : 'dismissed'}`,
        async ({ clock, dismissals }) => {
          if (isBack) return dismissals.bringBack(orgId, [subject, 'refused']);
          const at = clock.now();
          const seenAt = new Date(at.getTime() - seenBefore);
          const seen = { seenAt, seenCount: 3, reason: 'Refunded.', by: OPERATOR.actor, at };
          await dismissals.dismiss(orgId, [
            { subject, ...seen },
            { subject: subjectOfRejected(orgId), ...seen },
          ]);
          return dismissals.list(orgId, [subject, 'failed']);
        },
      );
    },
  },
  {
    name: 'the default currency is set',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const currency = world.random.pick(['EUR', 'usd', 'x']);
      return operate(world, `The default currency becomes ${currency}`, (service) =>
        setDefaultCurrency(service, orgId, currency),
      );
    },
  },
  {
    name: 'the language of buyers is set',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const language = world.random.pick(['de', 'ja', 'x']);
      return operate(world, `The language of buyers becomes ${language}`, (service) =>
        setLocale(service, orgId, { language, timeZone: 'Europe/Berlin' }),
      );
    },
  },
  {
    name: 'a second secret is added',
    weight: 2,
    begin: (world) => {
      const shop = pickShop(world);
      const platform = world.random.pick(['storefront-a', 'checkout-a', 'checkout-a-classic'] as const);
      const name = world.random.pick(['main', 'second']);
      const secret = world.random.below(2) === 0 ? shop.secrets[platform] : `added-to-${shop.orgId}`;
      return operate(world, `A secret is added to ${name} of ${platform}`, (service) =>
        addIntegrationSecret(service, { orgId: shop.orgId, platform, name, secret }),
      );
    },
  },
  {
    name: 'the shared secret is set',
    weight: 8,
    begin: (world) => {
      const secret = world.random.pick(['whsec_first-of-service', 'whsec_second-of-service', 'sk_live_1']);
      return operate(world, 'The secret of payments-a is set', async (service) => {
        await service.accounts.list({ after: 'acct_0', limit: 2 });
        await listSharedSecrets(service, { secrets: [] }, service.clock.now());
        return setSharedSecret(service, secret);
      });
    },
  },
  {
    name: 'an account is mapped',
    weight: 2,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const account = world.random.pick(ACCOUNTS);
      return operate(world, `${account} is mapped`, (service) => mapAccount(service, { orgId, account }));
    },
  },
  {
    name: 'an account is unmapped',
    weight: 1,
    begin: (world) => {
      const account = world.random.pick(ACCOUNTS);
      return operate(world, `${account} is unmapped`, (service) => unmapAccount(service, account));
    },
  },
  {
    name: 'a product is added',
    weight: 1,
    begin: (world) => {
      const { orgId } = pickShop(world);
      const slug = world.random.pick(['gift', 'mug', 'pads']);
      return operate(world, `The product ${slug} is added`, (service) =>
        createProduct(service, orgId, { name: slug, slug }),
      );
    },
  },
  {
    name: 'a file is added to a version',
    weight: 3,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const label = `2.${world.random.below(4)}`;
      const name = world.random.pick(['a.zip', 'b.zip', '../c.zip']);
      return operate(world, `${name} is added to ${label} of ${product.name}`, async (service) => {
        const opened = await reopenVersion(service, orgId, product.id, label);
        if (opened.kind !== 'open') return opened;
        const place = { orgId, productId: product.id, versionId: opened.version.id, name };
        return addVersionFile(service, place, CONTENT);
      });
    },
  },
  {
    name: 'a file of a version is named, moved or removed',
    weight: 2,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const version = pickRow(
        world,
        [...world.memory.versions.values()].filter(({ productId }) => productId === product.id),
      );
      const file = version && pickRow(world, world.memory.files.get(version.id) ?? []);
      if (!version || !file) return null;
      const place = { orgId, productId: product.id, versionId: version.id, name: file.name };
      const [what, change] = world.random.pick(FILE_CHANGES);
      return operate(
        world,
        `${file.name} of ${version.version} of ${product.name} is ${what}`,
        async (service) => {
          await service.products.listFiles(orgId, [version.id]);
          return change(service, place);
        },
      );
    },
  },
  {
    name: 'an upload is finished',
    weight: 2,
    begin: (world) => {
      const { orgId, product } = pickProduct(world);
      const version = pickRow(
        world,
        [...world.memory.versions.values()].filter(({ productId }) => productId === product.id),
      );
      if (!version) return null;
      const id = `upload-${world.random.below(1000)}`;
      const expected = world.random.pick([null, SHA256, '0'.repeat(64)]);
      world.staging.receive(id, { size: 5, sha256: SHA256 });
      return operate(world, `${id} becomes a file of ${version.version} of ${product.name}`, (service) =>
        finishUpload(service, {
          id,
          orgId,
          productId: product.id,
          versionId: version.id,
          name: `${id}.zip`,
          sha256: expected,
        }),
      );
    },
  },
  {
    name: 'a link is revoked or restored by API',
    weight: 2,
    begin: onPicked(
      (world) => pickRow(world, world.memory.links.values()),
      (world, link) => {
        const [word, change] = world.random.pick([
          ['revoked', revokeLink],
          ['restored', restoreLink],
        ] as const);
        return operate(world, `The link ${link.id} is ${word} by API`, async (service) =>
          (await change(service, link.orgId, link.id, OPERATOR)) ? word : 'unknown',
        );
      },
    ),
  },
];

const FILE_CHANGES: readonly [FileChange, ...FileChange[]] = [
  ['named', (service, place) => nameVersionFile(service, place, 'Windows')],
  ['moved', (service, place) => moveVersionFile(service, place, 'down')],
  ['removed', removeVersionFile],
];

type FileChange = readonly [string, (service: Service, place: FilePlace) => Promise<unknown>];

/** The subjects of the newest failures, which can be dismissed one by one. */
function listSingleSubjects({ memory }: World, orgId: string): readonly string[] {
  const failed = [...memory.deliveries.values()].filter(
    (row) => row.orgId === orgId && row.status === 'error',
  );
  const refused = [...memory.emails.values()].filter(
    (row) => row.orgId === orgId && row.status === 'refused',
  );
  return [
    ...failed.slice(-3).map(subjectOfEntry),
    ...refused.slice(-3).map(({ id }) => subjectOfReceipt(id)),
  ];
}

const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** A later read returns it again. */
const CONTENT: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: async function* () {
    yield new Uint8Array([1, 2, 3]);
  },
};

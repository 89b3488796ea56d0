import {
  addIntegrationSecret,
  type EvaluatedConnection,
  isFresh,
  type Platform,
  type PlatformState,
  type Platforms,
  readConnectionStates,
  runAuditedAction,
  SHARED_PLATFORM,
  type SigningSecrets,
  setIntegrationSecret,
} from '@handover/domain';
import { isSameSecret } from '@handover/platform-contract';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer, DashboardRequest } from '../dashboard-route.ts';
import { type PlatformView, platformPage, type SecretOffer } from './platform-page.ts';

type Ports = Pick<
  HttpPorts,
  'clock' | 'connections' | 'ids' | 'inTransaction' | 'platforms' | 'rejected' | 'signingSecrets'
>;

const BOTH_WORK = 'The one before it works as well, until you replace it: see below the field.';

const DONE = { created: 'set', replaced: 'replaced', added: 'added', known: 'there already' } as const;

/** Saves the typed secret or, if the field is empty, the secret in the URL that the page offered. */
export async function setSecret(
  ports: Ports,
  context: DashboardRequest,
  view: PlatformView,
  form: URLSearchParams,
): Promise<Answer> {
  const { orgId } = context;
  const { platform, connections } = view.state;
  const known = form.has('shop') ? view.connection : null;
  const name = (known?.name ?? form.get('name') ?? '').trim();
  const copied = form.get('offered');
  // Offers the same URL again, since it may have been copied.
  const offer: SecretOffer = copied === null ? view.offer : { kind: 'offered', secret: copied };
  const refuse = (problems: PlatformView['problems']) =>
    platformPage({ ...view, connection: known, shopName: name, offer, problems });
  if (platform === SHARED_PLATFORM) return refuse({ form: 'The operator of this service sets its secret.' });
  if (!known && connections.some((other) => other.name === name))
    return refuse({ name: 'There is a shop of that name already.' });

  const secret = form.get('secret')?.trim() || form.get('offered') || '';
  const change = { orgId, platform, name, secret };
  const taken = await findShopOffered(ports, context, change, form);
  if (taken !== null) {
    const problems = { form: usedWords(taken) };
    const another = offerSecret(ports, context, view.state, known);
    return platformPage({ ...view, connection: known, shopName: name, offer: another, problems });
  }
  const { result, id } = await runAuditedAction(
    ports,
    context,
    async (within) => {
      const result =
        form.get('action') === 'add'
          ? await addIntegrationSecret(within, change)
          : await setIntegrationSecret(within, change);
      return { result, id: await findShop(within, change) };
    },
    ({ result: { kind }, id }) => {
      if (kind === 'unknown-organisation' || kind === 'invalid') return null;
      const summary = `The secret of ${ports.platforms.vendorOf(platform)}, “${name}”, was ${DONE[kind]}.`;
      return { kind: 'integration-changed', subjectId: id, summary };
    },
  );
  if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
  if (result.kind === 'invalid') return refuse({ [result.field]: `It ${result.problem}.` });
  return {
    kind: 'redirect',
    to: `/dashboard/settings/integrations/${platform}?shop=${id}`,
    toast:
      result.kind === 'added'
        ? { title: 'The second secret is saved', sentence: BOTH_WORK }
        : { title: 'The secret is saved', sentence: 'It is kept encrypted and never shown again.' },
  };
}

async function findShop(
  ports: Ports,
  { orgId, platform, name }: { readonly orgId: string; readonly platform: Platform; readonly name: string },
): Promise<string> {
  const states = await readConnectionStates(ports, orgId);
  const shops = states.find((state) => state.platform === platform)?.connections ?? [];
  return shops.find((shop) => shop.name === name)?.id ?? '';
}

/**
 * Another window has saved the offered secret for another shop: shops with the same secret could not be
 * told apart.
 */
async function findShopOffered(
  ports: Ports,
  { orgId, now }: DashboardRequest,
  { platform, name, secret }: { readonly platform: Platform; readonly name: string; readonly secret: string },
  form: URLSearchParams,
): Promise<string | null> {
  if (!isSameSecret(secret, form.get('offered') ?? '')) return null;
  const shops = (await ports.connections.list(orgId, platform, now)) ?? [];
  return (
    shops.find((shop) => shop.name !== name && shop.secrets.some((known) => isSameSecret(known, secret)))
      ?.name ?? null
  );
}

function usedWords(shop: string): string {
  return `The URL that was shown here belongs to “${shop}” by now. Copy the one below, which is new, and press again.`;
}

/**
 * Where the secret is part of the URL, a new secret to be copied with the URL before it is saved. Each session has its own,
 * shown only while its sign-in is fresh: a user who has lost access never saw the one that another user saves later. Each
 * request of a session returns the same one until a secret is saved; the next use then gets a new one.
 */
export function offerSecret(
  { signingSecrets, platforms }: { readonly signingSecrets: SigningSecrets; readonly platforms: Platforms },
  { orgId, user: { session }, now }: Pick<DashboardRequest, 'orgId' | 'user' | 'now'>,
  { platform, connections }: PlatformState,
  /** Null: a new shop. */
  connection: EvaluatedConnection | null,
): SecretOffer {
  if (!platforms.hasSecretInUrl(platform)) return { kind: 'none' };
  if (!isFresh(session, now)) return { kind: 'unconfirmed' };
  const use = connection
    ? [connection.id, connection.secretSetAt?.toISOString() ?? '', `${connection.secretCount}`]
    : ['a new shop beside', ...connections.map(({ id }) => id)];
  return { kind: 'offered', secret: signingSecrets.make(orgId, [session.hash, platform, ...use]) };
}

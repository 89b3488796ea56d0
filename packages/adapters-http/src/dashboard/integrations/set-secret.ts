import {
  addIntegrationSecret,
  readConnectionStates,
  SHARED_PLATFORM,
  setIntegrationSecret,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import type { Answer, Visit } from '../dashboard-route.ts';
import { noteDeed } from '../note-deed.ts';
import { VENDORS } from '../parts/platform.ts';
import { type PlatformView, platformPage } from './platform-page.ts';

const DONE = { created: 'set', replaced: 'replaced', added: 'added', known: 'there already' } as const;

/** Sets what was typed, or, where that is nothing, the secret of the URL that the page offered. */
export async function setSecret(
  ports: HttpPorts,
  visit: Visit,
  view: PlatformView,
  form: URLSearchParams,
): Promise<Answer> {
  const { orgId } = visit;
  const { platform, connections } = view.state;
  const known = form.has('shop') ? view.connection : null;
  const name = (known?.name ?? form.get('name') ?? '').trim();
  const offeredSecret = form.get('offered') ?? view.offeredSecret;
  // A URL that was copied already stays the one that is offered.
  const refuse = (problems: PlatformView['problems']) =>
    platformPage({ ...view, connection: known, shopName: name, offeredSecret, problems });
  if (platform === SHARED_PLATFORM)
    return refuse({ form: 'Its secret is set by whoever runs this service.' });
  if (!known && connections.some((other) => other.name === name))
    return refuse({ name: 'There is a shop of that name already.' });

  const secret = form.get('secret')?.trim() || form.get('offered') || '';
  const change = { orgId, platform, name, secret };
  const result =
    form.get('deed') === 'add'
      ? await addIntegrationSecret(ports, change)
      : await setIntegrationSecret(ports, change);
  if (result.kind === 'unknown-organisation') return { kind: 'not-found' };
  if (result.kind === 'invalid') return refuse({ [result.field]: `It ${result.problem}.` });

  const after = await readConnectionStates(ports, orgId);
  const shops = after.find((state) => state.platform === platform)?.connections ?? [];
  const id = shops.find((shop) => shop.name === name)?.id ?? '';
  const summary = `The secret of ${VENDORS[platform]}, “${name}”, was ${DONE[result.kind]}.`;
  await noteDeed(ports, visit, { kind: 'integration-changed', subjectId: id, summary });
  return {
    kind: 'redirect',
    to: `/dashboard/settings/integrations/${platform}?shop=${id}`,
    toast: { title: 'The secret is saved', sentence: 'It is kept encrypted and never shown again.' },
  };
}

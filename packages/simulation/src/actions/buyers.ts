import {
  completeDownload,
  type Language,
  openDownloadFile,
  openDownloadLink,
  readProgress,
  requestFreshLink,
  requestMyLinks,
} from '@handover/domain';
import type { World } from '../world/open-world.ts';
import type { Service } from '../world/service.ts';
import { type Action, onPicked, operate, pickRow } from './action.ts';

/** Actions of buyers, who know only what their mails contain. */
export const BUYER_ACTIONS: readonly Action[] = [
  {
    name: 'a buyer opens a link',
    weight: 6,
    begin: onPicked(pickToken, (world, token) =>
      operate(world, `The link ${token} is opened`, async (service) => {
        const revokedBefore = await findRevocation(world, token);
        const opened = await openDownloadLink(service, token, { refresh: true });
        await expectServed(world, token, opened.kind === 'open', revokedBefore);
        return opened;
      }),
    ),
  },
  {
    name: 'a buyer fetches a file',
    weight: 6,
    begin: onPicked(pickToken, (world, token) => {
      const joining = pickRow(world, world.memory.sessions.keys()) ?? null;
      const share = 1 + world.random.below(100);
      return operate(world, `A file behind ${token} is fetched`, (service) =>
        fetchFile(world, service, token, { joining: world.random.below(2) === 0 ? joining : null, share }),
      );
    }),
  },
  {
    name: 'a download arrives',
    weight: 4,
    begin: onPicked(pickToken, (world, token) => {
      const orgId = token.split('.')[0] ?? '';
      return operate(world, `A download by ${token} has arrived`, (service) =>
        completeDownload(service, { orgId, token, sessionId: null }),
      );
    }),
  },
  {
    name: 'a page asks how far its download is',
    weight: 1,
    begin: onPicked(pickToken, (world, token) =>
      operate(world, `How far ${token} has come is asked`, async (service) => {
        const revokedBefore = await findRevocation(world, token);
        const progress = await readProgress(service, token);
        await expectServed(world, token, progress.kind === 'progress', revokedBefore);
        return progress;
      }),
    ),
  },
  {
    name: 'a buyer asks for a new link',
    weight: 4,
    begin: onPicked(pickToken, (world, token) =>
      operate(world, `A new link is asked for in the place of ${token}`, (service) =>
        requestFreshLink(service, token, pickLanguage(world)),
      ),
    ),
  },
  {
    name: 'a buyer asks for everything',
    weight: 3,
    begin: (world) => {
      const email = world.random.pick(['ana@example.com', 'bo@example.com', 'nobody@example.com']);
      return operate(world, `${email} asks for everything bought`, (service) =>
        requestMyLinks(service, { email, network: '192.0.2.0', language: pickLanguage(world) }),
      );
    },
  },
];

/** The language that the buyer's browser requests; null: it requests none. */
function pickLanguage(world: World): Language | null {
  return world.random.pick([null, 'en', 'fr'] as const);
}

async function fetchFile(
  world: World,
  service: Service,
  token: string,
  { joining, share }: { readonly joining: string | null; readonly share: number },
): Promise<unknown> {
  const page = await openDownloadLink(service, token, { refresh: false });
  if (page.kind !== 'open' || !page.page.version) return page;
  const [file] = page.page.version.files;
  if (!file) return page;
  const revokedBefore = await findRevocation(world, token);
  const opened = await openDownloadFile(
    service,
    token,
    { version: page.page.version.label, name: file.name },
    { fetch: true },
  );
  await expectServed(world, token, opened.kind === 'open', revokedBefore);
  if (opened.kind !== 'open') return opened;
  const at = service.clock.now();
  const asked = { sessionId: service.ids.next(), joining, client: 'browser', at } as const;
  const sessionId = await service.sessions.begin(opened.orgId, opened.linkId, asked);
  if (sessionId === null) return opened;
  const end = Math.max(1, Math.ceil((file.size * share) / 100));
  const sent = {
    version: opened.file.version,
    name: file.name,
    size: file.size,
    ranges: [{ start: 0, end }],
  };
  await service.sessions.addSent(opened.orgId, sessionId, sent, at);
  return opened;
}

/** A link that was revoked before the request, and until its answer, must serve nothing. */
async function expectServed(
  world: World,
  token: string,
  isServed: boolean,
  revokedBefore: number | null,
): Promise<void> {
  const revoked = await findRevocation(world, token);
  // It was restored meanwhile, at least for a moment.
  if (revokedBefore === null || revoked !== revokedBefore) return;
  world.check('a revoked link serves nothing', isServed ? token : null);
}

/** When it was revoked. Not from the memory: an open transaction may still roll back what it wrote there. */
async function findRevocation({ stores }: World, token: string): Promise<number | null> {
  const [orgId = '', linkId = ''] = token.split('.');
  return (await stores.links.find(orgId, linkId))?.revokedAt?.getTime() ?? null;
}

/** A token from one of the mails that have arrived. */
function pickToken(world: World): string | undefined {
  const links = world.mailServer.accepted.flatMap(({ kind, links }) =>
    kind === 'receipt' || kind === 'links' ? links : [],
  );
  return pickRow(world, links)?.split('/d/')[1];
}

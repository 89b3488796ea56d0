import {
  type FilePlace,
  moveVersionFile,
  nameVersionFile,
  removeVersionFile,
  type VersionWithFiles,
} from '@handover/domain';
import { changeFileWithEntry } from '../../actions/product-actions.ts';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRequest, type DashboardRoute } from '../dashboard-route.ts';
import type { LoadProduct } from './load-product.ts';
import { productPage } from './product-page.ts';

type Ports = Pick<HttpPorts, 'clock' | 'ids' | 'inTransaction' | 'products'>;
type FileRequest = DashboardRequest<'productId' | 'versionId'>;

/** Names, orders and removes the files of a version. */
export function fileRoutes(ports: Ports, load: LoadProduct): readonly DashboardRoute[] {
  return [
    action('/products/:productId/versions/:versionId/file', 'member', (context, form) =>
      changeFile(ports, load, context, form),
    ),
  ];
}

async function changeFile(
  ports: Ports,
  load: LoadProduct,
  context: FileRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const place = placeOf(context, form);
  const typed = form.get('displayName') ?? '';
  const pressed = form.get('action') ?? '';
  const refuse = async (problem: string): Promise<Answer> => {
    const loaded = await load(context);
    if (!loaded) return { kind: 'not-found' };
    const { versionId } = place;
    return productPage(loaded, { problem: { versionId, problem, file: { name: place.name, typed } } });
  };
  const version = await ports.products.findVersion(place.orgId, place.productId, place.versionId);
  if (!version) return { kind: 'not-found' };
  if (pressed === 'remove') return remove(ports, context, place, version, refuse);
  // What was typed is kept, whichever button was pressed.
  const named = await changeFileWithEntry(
    ports,
    context.by,
    place,
    (within) => nameVersionFile(within, place, typed),
    (result) =>
      result.kind === 'named' && result.displayName !== formerName(version, place)
        ? `${place.name} of version ${version.version} is called ${result.displayName === null ? 'by its name' : `“${result.displayName}”`} now`
        : null,
  );
  if (named.kind === 'invalid') return refuse(`The name ${named.problem}.`);
  if (named.kind === 'unknown-file') return refuse(GONE);
  if (pressed !== 'up' && pressed !== 'down')
    return {
      kind: 'redirect',
      to: backTo(context, place, 'save'),
      toast: { title: 'The name is saved' },
    };
  const moved = await changeFileWithEntry(
    ports,
    context.by,
    place,
    (within) => moveVersionFile(within, place, pressed),
    ({ kind }) => (kind === 'moved' ? `${place.name} moved ${pressed} in version ${version.version}` : null),
  );
  if (moved.kind === 'unknown-file' || moved.kind === 'changed') return refuse(GONE);
  return { kind: 'redirect', to: backTo(context, place, pressed) };
}

async function remove(
  ports: Ports,
  context: FileRequest,
  place: FilePlace,
  { version }: VersionWithFiles,
  refuse: (problem: string) => Promise<Answer>,
): Promise<Answer> {
  const result = await changeFileWithEntry(
    ports,
    context.by,
    place,
    (within) => removeVersionFile(within, place),
    ({ kind }) => (kind === 'removed' ? `${place.name} removed from version ${version}` : null),
  );
  if (result.kind !== 'removed') return refuse(KEPT[result.kind]);
  const toast = { title: `${place.name} is removed`, sentence: `It is no longer in version ${version}.` };
  return { kind: 'redirect', to: backTo(context, place, 'remove'), toast };
}

const GONE = 'Files of this version changed meanwhile. Look at the list, then press again.';

const KEPT = {
  live: 'This version is live, so buyers get the file. Make another version live first.',
  bought: 'Somebody bought this version, and their links serve the file, so it stays.',
  last: 'This version was live, so it keeps one file at least.',
  'unknown-file': GONE,
} as const;

function placeOf({ orgId, params }: FileRequest, form: URLSearchParams): FilePlace {
  return { orgId, ...params, name: form.get('name') ?? '' };
}

function formerName({ files }: VersionWithFiles, { name }: FilePlace): string | null {
  return files.find((file) => file.name === name)?.displayName ?? null;
}

/** The list stays open, with the focus on the button that was pressed. */
function backTo({ params }: FileRequest, { versionId, name }: FilePlace, pressed: string): string {
  const query = new URLSearchParams({ files: versionId, file: name, pressed });
  return `/dashboard/products/${params.productId}?${query}#files-${versionId}`;
}

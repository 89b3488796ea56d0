// How fast the pages of the dashboard answer with very many purchases:
// npm run bench -- dashboard [purchases]
import { followSignInLink } from './sign-in.ts';
import { fillShop } from './speed/measure-stream.ts';
import { inWorld } from './speed/open-world.ts';

const COUNT = Number(process.argv[3] ?? 100_000);
const TRIES = 40;
const TARGET_MS = 50;
/** What the log is asked beyond its words: states, an order number, SKUs that few and many entries have, and a poll. */
const LOG_QUERIES = [
  '?status=held',
  '?q=%2350001',
  '?q=sku-7',
  '?q=sku-7&status=held',
  '?q=product-7',
  '/live',
];

/** Of the purchases of this bench, all were opened: the worst case of the first. */
const PURCHASE_QUERIES = ['?status=unopened', '?status=revoked'];

await inWorld({ shops: 1 }, async (world) => {
  await fillShop(world, COUNT);
  const { url } = world.server();
  const session: Session = { url, cookie: await followSignInLink(url, world.shop.signInUrl) };
  const paths = await findPages(session);
  console.log(`${COUNT} purchases, ${TRIES} tries of each page; the target is ${TARGET_MS} ms`);
  const rows = [];
  for (const path of paths) rows.push(await measure(session, path));
  console.table(rows);
});

/** Somebody who is signed in at a server. */
interface Session {
  readonly url: string;
  readonly cookie: string;
}

/** The pages of the sidebar, and for each list its searches, its next page and its first entry. */
async function findPages(session: Session): Promise<readonly string[]> {
  const pages = hrefsOf(await read(session, '/dashboard/overview'), /<nav.*?<\/nav>/s);
  const found = new Set(pages);
  for (const path of pages) {
    const body = await read(session, path);
    const [entry] = hrefsOf(body, /<a class="row-link[^>]*>/);
    const [older] = hrefsOf(body, /<a [^>]*rel="next"[^>]*>/);
    for (const further of [entry, older]) if (further) found.add(further);
    if (!body.includes('name="q"')) continue;
    for (const words of ['buyer777', 'buyer', '50001', 'product', 'nothing-like-this']) {
      found.add(`${path}?q=${words}`);
    }
  }
  for (const state of ['running', 'interrupted', 'sent', 'completed', 'started']) {
    found.add(`/dashboard/downloads?state=${state}`);
    found.add(`/dashboard/downloads?state=${state}&q=product`);
  }
  for (const query of PURCHASE_QUERIES) found.add(`/dashboard/purchases${query}`);
  for (const query of LOG_QUERIES) found.add(`/dashboard/webhook-log${query}`);
  const unmatched = '/dashboard/purchases/unmatched';
  if ((await ask(session, unmatched)).ok) found.add(unmatched);
  return [...found];
}

function hrefsOf(body: string, part: RegExp): readonly string[] {
  const [markup = ''] = part.exec(body) ?? [];
  return [...markup.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll(/&(amp|#61);/g, (_, name) => (name === 'amp' ? '&' : '=')),
  );
}

async function measure(session: Session, path: string) {
  const times: number[] = [];
  let bytes = 0;
  for (let at = 0; at < TRIES; at += 1) {
    const began = performance.now();
    bytes = (await read(session, path)).length;
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const share = (of: number) => Number((times[Math.ceil(TRIES * of) - 1] ?? 0).toFixed(1));
  const p95 = share(0.95);
  const page = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
  return { page, 'p50 ms': share(0.5), 'p95 ms': p95, KB: Math.round(bytes / 1000), met: p95 < TARGET_MS };
}

async function read(session: Session, path: string): Promise<string> {
  const answer = await ask(session, path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return answer.text();
}

function ask({ url, cookie }: Session, path: string): Promise<Response> {
  return fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' });
}

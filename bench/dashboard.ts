// How fast the pages of the dashboard answer with very many purchases:
// npm run bench -- dashboard [purchases]
import { connectDatabase } from './connect-database.ts';
import { seedShop } from './seed-shop.ts';
import { signIn } from './sign-in.ts';
import { startTrialServer } from './trial-server.ts';

const COUNT = Number(process.argv[3] ?? 100_000);
const TRIES = 40;
const TARGET_MS = 50;

const server = await startTrialServer();
try {
  const cookie = await signIn(server, await seed());
  const paths = await findPages(cookie);
  console.log(`${COUNT} purchases, ${TRIES} tries of each page; the target is ${TARGET_MS} ms`);
  const rows = [];
  for (const path of paths) rows.push(await measure(path, cookie));
  console.table(rows);
} finally {
  await server.end();
}

async function seed(): Promise<string> {
  const client = await connectDatabase(server);
  await seedShop(client, COUNT);
  const { rows } = await client.query(`select email from users where role = 'owner' limit 1`);
  await client.end();
  return rows[0].email;
}

/** The pages of the sidebar, and for each list its searches, its next page and its first entry. */
async function findPages(cookie: string): Promise<readonly string[]> {
  const pages = hrefsOf(await read('/dashboard/overview', cookie), /<nav.*?<\/nav>/s);
  const found = new Set(pages);
  for (const path of pages) {
    const body = await read(path, cookie);
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
  const unmatched = '/dashboard/purchases/unmatched';
  if ((await ask(unmatched, cookie)).ok) found.add(unmatched);
  return [...found];
}

function hrefsOf(body: string, part: RegExp): readonly string[] {
  const [markup = ''] = part.exec(body) ?? [];
  return [...markup.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll(/&(amp|#61);/g, (_, name) => (name === 'amp' ? '&' : '=')),
  );
}

async function measure(path: string, cookie: string) {
  const times: number[] = [];
  let bytes = 0;
  for (let at = 0; at < TRIES; at += 1) {
    const began = performance.now();
    bytes = (await read(path, cookie)).length;
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const share = (of: number) => Number((times[Math.ceil(TRIES * of) - 1] ?? 0).toFixed(1));
  const p95 = share(0.95);
  const page = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id');
  return { page, 'p50 ms': share(0.5), 'p95 ms': p95, KB: Math.round(bytes / 1000), met: p95 < TARGET_MS };
}

async function read(path: string, cookie: string): Promise<string> {
  const answer = await ask(path, cookie);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return answer.text();
}

function ask(path: string, cookie: string): Promise<Response> {
  return fetch(`${server.url}${path}`, { headers: { cookie }, redirect: 'manual' });
}

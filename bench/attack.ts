// Sends generated requests over every route and looks for what must never happen:
// npm run bench -- attack [count] [first]
// A request is made of its number alone: `attack 1 4711` sends number 4711 again.

import { type AttackRequest, makeRequest, type Route } from './attack/make-request.ts';
import { type Hold, isLonger, NO_HOLD } from './attack/measure-hold.ts';
import type { MonitorMessage } from './attack/monitor.ts';
import { createReport } from './attack/report.ts';
import { type Answered, closeConnections, sendRequest } from './attack/send-request.ts';
import { MARKER, openWorld, PAYMENTS_SECRET, type World } from './attack/world.ts';
import { startTrialServer } from './trial-server.ts';

const COUNT = Number(process.argv[3] ?? 100_000);
const FIRST = Number(process.argv[4] ?? 1);
const AT_ONCE = 8;
const LOOK_EVERY = 500;
const MAX_MINUTES = 60;
/** How long one request may block the event loop, in CPU time. */
const MAX_HOLD_MS = 50;
const FOREVER: Hold = { wallMs: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY };

const PAGES = [
  '/dashboard/overview',
  '/dashboard/purchases',
  '/dashboard/purchases/unmatched',
  '/dashboard/products',
  '/dashboard/settings/activity',
  '/api/deliveries',
];

const routes = new Map<string, Route>();
const report = createReport();
let heldFor: (hold: Hold, requests: readonly string[]) => void = () => {};

const server = await startTrialServer({
  load: new URL('./attack/monitor.ts', import.meta.url).href,
  env: { PAYMENTS_A_SIGNING_SECRET: PAYMENTS_SECRET },
  onMessage: (message) => {
    const told = message as MonitorMessage;
    if (told.kind === 'route') routes.set(`${told.method} ${told.url}`, told);
    else heldFor(told.hold, told.requests);
  },
});
server.process.once('exit', (code, signal) => report.addExit(code, signal));
try {
  const world = await openWorld(server);
  console.log(
    `${routes.size} routes, ${COUNT} requests from number ${FIRST}; ${MAX_MINUTES} minutes at most`,
  );
  await attack(world, [...routes.values()]);
} finally {
  report.finish();
  closeConnections();
  await server.end();
}
process.exitCode = report.print() ? 0 : 1;

async function attack(world: World, all: readonly Route[]): Promise<void> {
  const end = Date.now() + MAX_MINUTES * 60_000;
  const suspects = new Set<number>();
  heldFor = ({ cpuMs }, requests) => {
    if (cpuMs > MAX_HOLD_MS)
      for (const number of requests) if (/^\d+$/.test(number)) suspects.add(Number(number));
  };
  for (let from = FIRST; from < FIRST + COUNT && !report.hasEnded(); from += LOOK_EVERY) {
    if (Date.now() > end) {
      report.stopEarly(from - FIRST);
      return;
    }
    await world.refresh();
    const numbers = Array.from({ length: Math.min(LOOK_EVERY, FIRST + COUNT - from) }, (_, at) => from + at);
    const requests = numbers.map((number) => makeRequest(world, all, number, ''));
    await sendTogether(requests.filter(({ isLarge }) => !isLarge));
    for (const { number } of requests.filter(({ isLarge }) => isLarge))
      await measureAlone(world, all, number);
    // With concurrent requests, it is unknown which of them it was.
    for (const number of suspects) await measureAlone(world, all, number);
    suspects.clear();
    await openNewest(world, from);
    if ((from - FIRST) % (LOOK_EVERY * 20) === 0)
      console.log(`${from - FIRST + numbers.length} sent; ${report.summary()}`);
  }
}

async function sendTogether(requests: readonly AttackRequest[]): Promise<void> {
  const waiting = requests.values();
  const work = async () => {
    for (const request of waiting)
      if (!report.hasEnded()) note(request, await sendRequest(server.url, request));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Three times, as another order each: a block that occurs only once was the compiler or the garbage collector. */
async function measureAlone(world: World, all: readonly Route[], number: number): Promise<void> {
  let [least, route, described] = [FOREVER, '', ''];
  for (const salt of ['01', '02', '03']) {
    if (report.hasEnded() || least.cpuMs <= MAX_HOLD_MS) return;
    const request = makeRequest(world, all, number, salt);
    const hold = await holdOf(async () => note(request, await sendRequest(server.url, request)));
    if (isLonger(least, hold)) least = hold;
    route = request.route;
    described = `${request.method} ${request.path.slice(0, 120)} (${request.body?.length ?? 0} bytes)`;
  }
  if (least.cpuMs > MAX_HOLD_MS) report.addHold({ number, route }, described, least);
}

/** The longest block of the event loop during this work. */
async function holdOf(act: () => Promise<void>): Promise<Hold> {
  let longest = NO_HOLD;
  const former = heldFor;
  heldFor = (hold) => {
    if (isLonger(hold, longest)) longest = hold;
  };
  await act();
  // The check that follows it.
  await new Promise((resolve) => setTimeout(resolve, 25));
  heldFor = former;
  report.addLongest(longest);
  return longest;
}

/** Checks the stored data after the requests, as the owner would see it. */
async function openNewest(world: World, number: number): Promise<void> {
  const cookie = world.attackers[0]?.cookie ?? '';
  const get = async (path: string) => {
    const request = {
      number,
      route: 'opened afterwards',
      method: 'GET',
      path,
      headers: { cookie },
      body: null,
      manner: 'whole',
      isLarge: false,
    } as const;
    let text = '';
    let least = FOREVER;
    for (let attempt = 0; attempt < 3 && least.cpuMs > MAX_HOLD_MS && !report.hasEnded(); attempt += 1) {
      const hold = await holdOf(async () => {
        const answer = await sendRequest(server.url, request);
        text = answer.text;
        note(request, answer);
      });
      if (isLonger(least, hold)) least = hold;
    }
    if (least.cpuMs > MAX_HOLD_MS && !report.hasEnded())
      report.addHold(request, `GET ${path}, opened after ${number}`, least);
    return text;
  };
  const log = await get('/dashboard/webhook-log');
  const entries = [
    ...new Set(
      [...log.matchAll(/href="(\/dashboard\/webhook-log\/[0-9a-f-]{36})/g)].map(([, path = '']) => path),
    ),
  ];
  const at = number % Math.max(1, entries.length);
  for (const path of [...entries.slice(at), ...entries].slice(0, 4)) {
    await get(path);
    await get(`${path}?addresses=shown`);
    await get(`${path}/payload`);
  }
  for (const path of PAGES) await get(path);
}

function note(request: AttackRequest, answer: Answered): void {
  // A page may repeat its own URL, which may name something of the other organisation.
  const [address = ''] = request.path.split('?');
  const told = answer.text.replaceAll(address, '').toUpperCase();
  // On the developer's own machine, this page shows all mail.
  const isLeak = told.includes(MARKER) && !request.path.startsWith('/dev/');
  report.note(request, answer, isLeak);
}

// Loaded into the server before its program: reports its routes, and how long its thread was busy without a pause.
import { channel } from 'node:diagnostics_channel';
import { createHoldMeter, type Hold } from './measure-hold.ts';

const LOOK_EVERY_MS = 5;
/** The minimum that is reported. */
const REPORTED_MS = 25;

export type MonitorMessage =
  | { readonly kind: 'route'; readonly method: string; readonly url: string }
  /** `requests`: those that were being answered. */
  | { readonly kind: 'held'; readonly hold: Hold; readonly requests: readonly string[] };

const send = (message: MonitorMessage) => process.send?.(message);

/** As much of Fastify as is needed. */
interface RoutedApp {
  addHook(
    name: 'onRoute',
    hook: (route: { readonly method: string | readonly string[]; readonly url: string }) => void,
  ): void;
}

channel('fastify.initialization').subscribe((message) => {
  const { fastify } = message as { readonly fastify: RoutedApp };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) send({ kind: 'route', method: name, url });
  });
});

/** Numbers of the attack's requests that are being answered, and those answered since the last report. */
const open = new Set<string>();
let recent = new Set<string>();

interface Exchange {
  readonly request: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> };
}
const numberOf = (message: unknown) => String((message as Exchange).request.headers['x-attack'] ?? '');

channel('http.server.request.start').subscribe((message) => {
  open.add(numberOf(message));
  recent.add(numberOf(message));
});
channel('http.server.response.finish').subscribe((message) => open.delete(numberOf(message)));

// While the thread is busy no timer fires. Its CPU time distinguishes work from waiting for a busy machine.
const measure = createHoldMeter();
setInterval(() => {
  const hold = measure();
  if (hold.cpuMs > REPORTED_MS) send({ kind: 'held', hold, requests: [...new Set([...open, ...recent])] });
  recent = new Set(open);
}, LOOK_EVERY_MS).unref();
process.channel?.unref();

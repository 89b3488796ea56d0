import type { FastifyRequest } from 'fastify';
import { networkOf } from './network-of.ts';

/**
 * The client's browser and network for the activity log: “Firefox on Windows, 203.0.113.0/24”. Only enough
 * for a user to recognise their own sign-in: never the whole address or other browser details.
 */
export function describeClient({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string {
  return `${describeBrowser(headers['user-agent'] ?? '')}, ${describeNetwork(ip)}`;
}

/** The order matters: most browsers also name the browsers that they derive from. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

function describeBrowser(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (!browser) return 'another program';
  return system ? `${browser} on ${system}` : browser;
}

/** The network of a town or company, not of a household: an IPv4 /24 or an IPv6 /48. */
function describeNetwork(ip: string): string {
  const network = networkOf(ip);
  const [, site] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network) ?? [];
  if (site) return `${site}::/48`;
  return network.replace(/\.\d+$/, '.0/24');
}

import type { Bug } from '../bug.ts';

const LINKS = 'packages/domain/test/download-links.test.ts';
const REPORT = 'packages/adapters-http/test/downloads-report.test.ts';
const THROTTLES = 'packages/domain/test/throttles.test.ts';
const RANGES = 'packages/domain/test/byte-ranges.test.ts';
const BUYERS = 'packages/adapters-http/test/buyer-requests.test.ts';

/** Links, sessions and reports: packages/domain/src/downloads. */
export const DOWNLOAD_BUGS: readonly Bug[] = [
  {
    name: 'link-works-a-moment-too-long',
    rule: 'At the moment when a link expires, it has expired.',
    file: 'packages/domain/src/downloads/open-download-link.ts',
    find: 'page.expiresAt <= now',
    replace: 'page.expiresAt < now',
    seenBy: [LINKS],
  },
  {
    name: 'revoked-while-it-was-read',
    rule: 'A link that is revoked between the look and the fetch serves nothing.',
    file: 'packages/domain/src/downloads/open-download-link.ts',
    find: '!(await links.prolong(orgId, linkId, now, linkExpiry(now)))',
    replace: '!links.prolong(orgId, linkId, now, linkExpiry(now))',
    seenBy: [LINKS],
  },
  {
    name: 'looking-prolongs-the-link',
    rule: 'A HEAD request changes nothing of a link.',
    file: 'packages/domain/src/downloads/open-download-link.ts',
    find: "if (!refresh) return { kind: 'open', page };",
    replace: '',
    seenBy: [LINKS],
  },
  {
    name: 'serves-any-version',
    rule: 'A link serves files of the version that was bought, and of no other.',
    file: 'packages/domain/src/downloads/open-download-link.ts',
    find: 'if (version?.label !== wanted.version) return null;',
    replace: 'if (!version) return null;',
    seenBy: [LINKS],
  },
  {
    name: 'completes-for-another-shop',
    rule: 'A token completes downloads of its own organisation only.',
    file: 'packages/domain/src/downloads/complete-download.ts',
    find: '!named || named.orgId !== orgId',
    replace: '!named',
    seenBy: ['packages/adapters-http/test/download-complete.test.ts'],
  },
  {
    name: 'new-link-for-one-that-works',
    rule: 'A new link is mailed only in the place of an expired one.',
    file: 'packages/domain/src/downloads/request-fresh-link.ts',
    find: "if (kind !== 'expired') return { kind, page };",
    replace: "if (kind === 'revoked') return { kind, page };",
    seenBy: [BUYERS],
  },
  {
    name: 'many-links-mail-one-buyer',
    rule: 'However many links a buyer has, new ones are mailed ten times an hour at most.',
    file: 'packages/domain/src/downloads/request-fresh-link.ts',
    find: " ??\n    (await throttle(ports, 'freshLinkPerAddress', normalizeEmail(page.customer.email)))",
    replace: '',
    seenBy: [THROTTLES],
  },
  {
    name: 'stranger-uses-up-a-buyers-tries',
    rule: 'A network that is throttled uses up no tries of an address.',
    file: 'packages/domain/src/downloads/request-my-links.ts',
    find: "const networkUntil = await throttle(ports, 'myLinksPerNetwork', network);",
    replace:
      "await throttle(ports, 'myLinksPerAddress', normalizeEmail(address));\n  const networkUntil = await throttle(ports, 'myLinksPerNetwork', network);",
    seenBy: [THROTTLES],
  },
  {
    name: 'throttle-is-one-try-short',
    rule: 'So many tries as the limit says are let through.',
    file: 'packages/domain/src/access/throttle.ts',
    find: 'counted.tries <= tries ? null',
    replace: 'counted.tries < tries ? null',
    seenBy: [THROTTLES],
  },
  {
    name: 'report-leaves-out-the-last-day',
    rule: 'Both days of a report are counted.',
    file: 'packages/domain/src/downloads/report-period.ts',
    find: 'until: addDays(last, 1)',
    replace: 'until: last',
    seenBy: [REPORT],
  },
  {
    name: 'report-begins-a-day-early',
    rule: 'Without dates a report holds thirty days.',
    file: 'packages/domain/src/downloads/report-period.ts',
    find: 'addDays(last, 1 - DEFAULT_DAYS)',
    replace: 'addDays(last, -DEFAULT_DAYS)',
    seenBy: [REPORT],
  },
  {
    name: 'report-takes-february-30',
    rule: 'A day that does not exist is refused.',
    file: 'packages/domain/src/model/day.ts',
    find: '!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null',
    replace: 'Number.isNaN(day.getTime()) ? null : day',
    seenBy: [REPORT],
  },
  {
    name: 'range-within-another-shortens-it',
    rule: 'Ranges that overlap are united to all of their bytes.',
    file: 'packages/domain/src/model/byte-ranges.ts',
    find: 'end: Math.max(last.end, range.end)',
    replace: 'end: range.end',
    seenBy: [RANGES],
  },
  {
    name: 'link-lasts-two-days-and-a-half',
    rule: 'A link works for 48 hours.',
    file: 'packages/domain/src/model/download-link.ts',
    find: '48 * 60 * 60 * 1000',
    replace: '60 * 60 * 60 * 1000',
    seenBy: [LINKS],
  },
  {
    name: 'name-of-an-interface-fails-requests',
    rule: 'A neighbour is one network, whatever the interface to it is called.',
    file: 'packages/adapters-http/src/requests/network-of.ts',
    find: "withoutPort(ip).split('%')",
    replace: '[withoutPort(ip)]',
    seenBy: [BUYERS],
  },
];

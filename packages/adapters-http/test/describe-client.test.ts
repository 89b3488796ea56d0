import { expect, test } from 'vitest';
import { describeClient } from '../src/requests/describe-client.ts';

const describe = (agent: string | undefined, ip: string) =>
  describeClient({ headers: { 'user-agent': agent }, ip });

const CHROME = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604';

test.each([
  [CHROME, '203.0.113.77', 'Chrome on Android, 203.0.113.0/24'],
  [`${CHROME} Edg/130.0`, '203.0.113.77', 'Edge on Android, 203.0.113.0/24'],
  [SAFARI, '2001:db8:17:4::9', 'Safari on iPhone, 2001:db8:17::/48'],
  [
    'Mozilla/5.0 (Windows NT 10.0; rv:131.0) Firefox/131.0',
    '::ffff:198.51.100.4',
    'Firefox on Windows, 198.51.100.0/24',
  ],
  ['curl/8.1', '198.51.100.4:4711', 'another program, 198.51.100.0/24'],
  [undefined, 'junk', 'another program, unknown'],
])('describes a client in few words: %s from %s', (agent, ip, expected) => {
  expect(describe(agent, ip)).toBe(expected);
});

test('keeps no text that a browser sends', () => {
  expect(describe(`secret=abc <script> ${CHROME}`, '203.0.113.77')).toBe('Chrome on Android, 203.0.113.0/24');
});

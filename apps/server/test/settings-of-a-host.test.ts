import { describe, expect, it } from 'vitest';
import { explainProblems, readSettings } from '../src/settings/settings.ts';
import { settingsOf } from './settings-of.ts';

describe('settings', () => {
  it.each(['0.0.0.0', '::', '192.0.2.7', '2001:db8::7', 'shop.example', 'x.localhost', '127.0.0.1.nip.io'])(
    'refuse HOST %s without SITE_URL, say why, and name other problems beside it',
    (HOST) => {
      const read = readSettings({ HOST, PORT: 'x' });
      const message = 'problems' in read ? explainProblems(read.problems) : '';
      expect(message).toMatch(
        /^2 settings need you:\n {2}PORT must .*\n {2}SITE_URL is required, because HOST/,
      );
      expect(message).toContain(`HOST ${HOST} lets other machines in`);
    },
  );

  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://127.0.0.1:3000'],
    ['192.0.2.7', 'http://[::1]:3000'],
    ['127.0.0.1', 'http://127.example.com'],
    ['127.0.0.1', 'https://get.example.com'],
  ])('of HOST %s with SITE_URL %s are not a trial', (HOST, SITE_URL) => {
    const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'orders@example.com' };
    expect(settingsOf({ HOST, SITE_URL, ...mail }).isLocalTrial).toBe(false);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('of HOST %s alone are a trial', (HOST) => {
    expect(settingsOf({ HOST }).isLocalTrial).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { renderNewDevice } from '../src/index.ts';

const MAIL = {
  kind: 'new-device',
  mailId: '00000001-0000-7000-8000-000000000001',
  orgId: null,
  to: { email: 'jana@example.com', name: 'Jana' },
  client: 'Firefox on <Windows>, 203.0.113.0/24',
  at: new Date('2026-03-02T09:05:00Z'),
  url: 'https://shop.test/dashboard/settings/security',
} as const;

describe('the mail about a new device', () => {
  test('says which device, when, what to do, and where the sessions are', () => {
    const { subject, text, html } = renderNewDevice(MAIL);
    expect(subject).toBe('New sign-in to Handover');
    for (const part of [text, html]) {
      expect(part).toContain('2 March 2026 at 09:05 UTC');
      expect(part).toContain('203.0.113.0/24');
      expect(part).toContain('end all other sessions');
      expect(part).toContain('replace your API keys');
      expect(part).toContain(MAIL.url);
    }
    expect(html).not.toContain('<Windows>');
  });
});

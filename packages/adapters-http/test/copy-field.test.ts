import { expect, test } from 'vitest';
import { copyField } from '../src/dashboard/parts/copy-field.ts';
import { decodeHtml } from './open-dashboard.ts';

test('an address in a copy field breaks after its marks, and is copied as it is', () => {
  const text = 'https://a.test/webhooks/1?secret=b&c';
  const shown = decodeHtml(String(copyField({ label: 'Webhook URL', text })));
  expect(shown).toContain('<code>https://<wbr>a.test/<wbr>webhooks/<wbr>1?<wbr>secret=<wbr>b&<wbr>c</code>');
  expect(shown).toContain(`data-copy="${text}"`);
});

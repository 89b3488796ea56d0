import { describe, expect, it } from 'vitest';
import { isSecretName } from '../src/index.ts';

describe('the name of a secret', () => {
  it.each([
    'secret',
    'security_data',
    'security_hash',
    'thrivecart_secret',
    'api_key',
    'apiKey',
    'API-KEY',
    'client_secret',
    'cart_token',
    'order_status_url',
    'secret[]',
    'token[0][1]',
    'token2',
    `secret${'[0]'.repeat(20)}`,
    `${'x'.repeat(5_000_000)}_token`,
  ])('is recognised by its end: %.20s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['', 'sku', 'tokens_left', 'key', 'secretary', '[0]'])('is not %j', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { isPing, receive } from '../src/index.ts';
import { CONNECTIONS, fakePlatform, INBOUND } from './fake-platform.ts';

const unsigned = { ...INBOUND, headers: {} };

describe('a ping', () => {
  it('is recognised by its platform', () => {
    expect(isPing({ isPing: ({ body }) => body === INBOUND.body }, unsigned)).toBe(true);
  });

  it('does not exist on other platforms', () => {
    expect(isPing(fakePlatform, unsigned)).toBe(false);
  });

  it('is not recognised by a platform that throws', () => {
    const isPingOfBroken = () => {
      throw new Error('broken');
    };
    expect(isPing({ isPing: isPingOfBroken }, unsigned)).toBe(false);
  });

  it('has no other effect: a delivery must be signed', () => {
    const platform = { ...fakePlatform, isPing: () => true };
    expect(receive(platform, unsigned, CONNECTIONS).kind).toBe('refused');
  });
});

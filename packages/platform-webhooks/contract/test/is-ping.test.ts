import { describe, expect, it } from 'vitest';
import { isPing, receive } from '../src/index.ts';
import { CONNECTIONS, fakePlatform, INBOUND } from './fake-platform.ts';

const unsigned = { ...INBOUND, headers: {} };

describe('a ping', () => {
  it('is what the platform takes for one', () => {
    expect(isPing({ isPing: ({ body }) => body === INBOUND.body }, unsigned)).toBe(true);
  });

  it('does not exist on platforms that know none', () => {
    expect(isPing(fakePlatform, unsigned)).toBe(false);
  });

  it('is not found by a platform that stumbles', () => {
    const isPingOfBroken = () => {
      throw new Error('broken');
    };
    expect(isPing({ isPing: isPingOfBroken }, unsigned)).toBe(false);
  });

  it('opens nothing else: what is received must be signed', () => {
    const platform = { ...fakePlatform, isPing: () => true };
    expect(receive(platform, unsigned, CONNECTIONS).kind).toBe('refused');
  });
});

import {
  fulfilOrder,
  LIMITS,
  LINK_LIFETIME_MS,
  requestFreshLink,
  requestMyLinks,
  requestSignIn,
} from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

describe('tries that are limited', () => {
  it('to sign in are those of an address, however it is spelt', async () => {
    const ports = await openShopInMemory();
    const ask = (email: string, network: string) =>
      requestSignIn(ports, { email, network, client: 'Firefox on Linux' });
    const spellings = ['jo@example.com', 'JO@example.com', 'Jo@Example.com'];
    for (let tried = 0; tried < LIMITS.signInPerAddress.tries; tried += 1) {
      expect(await ask(spellings[tried % 3] ?? '', `192.0.2.${tried}`)).toMatchObject({ kind: 'asked' });
    }
    for (const email of spellings)
      expect(await ask(email, '192.0.2.99')).toMatchObject({ kind: 'too-often' });
  });

  it('for a new link are those of a buyer, however many links the buyer has', async () => {
    const ports = await openShopInMemory();
    const { shop, tokens, clock } = ports;
    const bought: string[] = [];
    for (let order = 0; order <= LIMITS.freshLinkPerAddress.tries; order += 1) {
      const wanted = makeOrder(shop, { orderId: `${order}` });
      const { id } = await recordOrder(ports, wanted);
      const { links } = await fulfilOrder(ports, wanted, { id, attempts: 0 });
      bought.push(tokens.seal(shop.orgId, links[0]?.id ?? ''));
    }
    clock.advance(LINK_LIFETIME_MS);
    const kinds: string[] = [];
    for (const token of bought) kinds.push((await requestFreshLink(ports, token)).kind);
    const mailed = Array.from({ length: LIMITS.freshLinkPerAddress.tries }, () => 'mailed');
    expect(kinds).toEqual([...mailed, 'throttled']);
  });

  it('of an address are not used up by a network that is refused', async () => {
    const ports = await openShopInMemory();
    const ask = (email: string, network: string) => requestMyLinks(ports, { email, network });
    for (let tried = 0; tried < LIMITS.myLinksPerNetwork.tries; tried += 1) {
      expect(await ask(`${tried}@example.com`, '192.0.2.1')).toEqual({ kind: 'noted' });
    }
    for (let tried = 0; tried < LIMITS.myLinksPerAddress.tries; tried += 1) {
      expect(await ask('ana@example.com', '192.0.2.1')).toMatchObject({ kind: 'throttled', of: 'network' });
    }
    expect(await ask('ana@example.com', '198.51.100.7')).toEqual({ kind: 'noted' });
  });
});

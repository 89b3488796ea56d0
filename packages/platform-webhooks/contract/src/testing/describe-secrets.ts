import type { SigningConnection } from '../platform-webhook.ts';
import { receive } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { SECRET, signInbound } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/** Tests which of the configured secrets verify a request, and for which connection. */
export function describeSecrets({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const signerOf = (secret: string, connections: readonly SigningConnection[]) => {
    const reception = receive(specimen.platform, signInbound(specimen, secret), connections);
    return reception.kind === 'translated' ? reception.connectionId : reception.kind;
  };

  describe('a secret', () => {
    it('is required: without a connection everything is refused', () => {
      expect(signerOf(SECRET, [])).toEqual('refused');
    });

    it('is required: a connection without secrets refuses everything', () => {
      expect(signerOf(SECRET, [{ id: 'main', secrets: [] }])).toEqual('refused');
    });

    it('verifies nothing if it is empty, not even a signature with an empty key', () => {
      expect(signerOf('', [{ id: 'main', secrets: [''] }])).toEqual('refused');
    });

    it('verifies nothing if it is blank', () => {
      expect(signerOf('  ', [{ id: 'main', secrets: ['  '] }])).toEqual('refused');
    });

    it('works beside an empty one', () => {
      expect(signerOf(SECRET, [{ id: 'main', secrets: ['', SECRET] }])).toEqual('main');
    });

    it('can be the first or the last of several', () => {
      const connections = [{ id: 'main', secrets: ['first', 'second', 'third'] }];
      expect(['first', 'second', 'third'].map((secret) => signerOf(secret, connections))).toEqual([
        'main',
        'main',
        'main',
      ]);
    });

    it('identifies its connection', () => {
      const connections = [
        { id: 'one', secrets: ['a', 'b'] },
        { id: 'two', secrets: ['c', 'd'] },
      ];
      expect(['a', 'b', 'c', 'd', 'e'].map((secret) => signerOf(secret, connections))).toEqual([
        'one',
        'one',
        'two',
        'two',
        'refused',
      ]);
    });

    it('is encoded as UTF-8', () => {
      expect(signerOf('Geheimniß 🔑', [{ id: 'main', secrets: ['Geheimniß 🔑'] }])).toEqual('main');
    });
  });
}

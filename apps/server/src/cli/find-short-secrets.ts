import { minSecretLength } from '@handover/domain';
import { tokens } from '../composition/composition.ts';
import type { OpenedCommand } from './run-command.ts';

/** Connections of an organisation with a secret shorter than the current minimum. */
export async function findShortSecrets({ composition }: OpenedCommand, orgId: string) {
  const { connections } = composition.resolve(tokens.stores);
  const facts = await connections.listFacts(orgId, composition.resolve(tokens.clock).now());
  const short = facts.filter(({ hasShortSecret }) => hasShortSecret);
  return {
    json: { shortSecrets: short.map(({ platform, name }) => ({ platform, connection: name })) },
    lines: short.map(
      ({ platform, name }) =>
        `The secret of ${platform}, connection “${name}”, is shorter than ${minSecretLength(platform)} characters. ` +
        'It still works, but set a longer one with integration set.',
    ),
  };
}

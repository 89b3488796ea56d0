import { countSealedByKey } from '@handover/adapters-postgres';
import { formatsOf, LINK_LIFETIME_MS } from '@handover/domain';
import type { Command } from 'commander';
import { describeKeyNumber } from '../keyring/keyring.ts';
import type { CommandContext, OpenedCommand } from './run-command.ts';
import { inInstallation } from './run-command.ts';

/** `secret status`. */
export function addSecretCommands(program: Command, context: CommandContext): void {
  program
    .command('secret')
    .description('the secrets of HANDOVER_SECRET')
    .command('status')
    .description('show how much is encrypted with which secret, and whether a former one can be removed')
    .action(inInstallation(context, status));
}

/** What is sealed with one secret. The number names the secret without revealing it. */
interface SecretUse {
  readonly keyNumber: string;
  /** Its position in the list, from 1; null if it is not in the list (any more). */
  readonly place: number | null;
  readonly apiKeys: number;
  readonly connectionSecrets: number;
}

async function status({ composition, infrastructure }: OpenedCommand) {
  const counts = await countSealedByKey(composition.resolve('database').pages);
  const listed = infrastructure.secrets.map(describeKeyNumber);
  const numbers = [...new Set([...listed, ...counts.map(({ keyNumber }) => keyNumber)])];
  const uses = numbers.map((keyNumber): SecretUse => {
    const count = (what: string) =>
      counts.find((row) => row.keyNumber === keyNumber && row.what === what)?.count ?? 0;
    const at = listed.indexOf(keyNumber);
    return {
      keyNumber,
      place: at < 0 ? null : at + 1,
      apiKeys: count('api-key'),
      connectionSecrets: count('connection-secret'),
    };
  });
  return { json: { secrets: uses }, lines: [...uses.map(describeUse), ...advise(uses)] };
}

function describeUse({ keyNumber, place, apiKeys, connectionSecrets }: SecretUse): string {
  const where = place === null ? 'not in HANDOVER_SECRET' : place === 1 ? '1st, current' : `no. ${place}`;
  return `  ${keyNumber}  (${where})  API keys: ${apiKeys}, connection secrets: ${connectionSecrets}`;
}

function advise(uses: readonly SecretUse[]): readonly string[] {
  const rests = (use: SecretUse) => use.apiKeys + use.connectionSecrets > 0;
  if (uses.some((use) => use.place === null && rests(use))) {
    return [
      'Some data is encrypted with a secret that is not listed. Put it back at the end of HANDOVER_SECRET.',
      'If it is lost, set webhook secrets anew (integration set) and replace API keys (user refresh-key).',
    ];
  }
  const former = uses.filter(({ place }) => place !== null && place > 1);
  if (former.length === 0) return ['Everything is encrypted with the one secret there is.'];
  if (former.some(rests)) {
    return [
      'Former secrets are still in use. A server that starts with the new secret first encrypts everything anew.',
    ];
  }
  return [
    'Nothing stored is encrypted with a secret after the first. If it is a new one: move it first in every process.',
    'If it is a former one: download links that were mailed before are signed with it. Wait until they expire,',
    `${formatsOf('en').duration(LINK_LIFETIME_MS)} after they were last opened, then remove it from the end of HANDOVER_SECRET.`,
  ];
}

import { OUR_PLATFORMS, SHARED_PLATFORM, setSharedSecret } from '@handover/domain';
import { UnknownKeyError } from '../keyring/keyring.ts';
import { START_COMMAND } from './command-text.ts';
import { readSecretOption, type SecretOptions } from './read-secret-option.ts';
import { CommandError, type CommandPorts, type CommandResult, type OpenedCommand } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';
import { wrongOption } from './wrong-option.ts';

/** Whether the secret of the shared platform was encrypted with a secret that is lost. */
export async function isSharedSecretLost({ sharedSecrets, clock }: CommandPorts): Promise<boolean> {
  try {
    await sharedSecrets.list(clock.now());
    return false;
  } catch (error) {
    if (error instanceof UnknownKeyError) return true;
    throw error;
  }
}

/** Enters a lost secret of the shared platform again. The dashboard, which sets it otherwise, needs a server, and none starts. */
export async function replaceSharedSecret(
  opened: OpenedCommand,
  options: SecretOptions,
): Promise<CommandResult> {
  const secret = await readSecretOption(opened, options);
  if (secret === undefined) throw new CommandError('Give the secret with --secret-stdin, or with --secret.');
  const vendor = OUR_PLATFORMS.vendorOf(SHARED_PLATFORM);
  const summary = `The signing secret of ${vendor} was replaced for this installation.`;
  const set = await runCommandAction(
    opened,
    (within) => setSharedSecret(within, secret),
    ({ kind }) =>
      kind === 'invalid'
        ? null
        : { orgId: options.org, kind: 'integration-changed', subjectId: options.org, summary },
  );
  if (set.kind === 'invalid') throw wrongOption(set);
  return {
    json: { platform: SHARED_PLATFORM },
    lines: [`The secret of ${vendor}, for all organisations, is set.`, `Start the server: ${START_COMMAND}`],
  };
}

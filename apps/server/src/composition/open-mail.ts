import type { Outbox } from '@handover/adapters-http';
import {
  createOutboxMailer,
  createSmtpCheck,
  createSmtpMailer,
  listOutbox,
  readOutboxMail,
} from '@handover/adapters-mail';
import type { ClaimLeases } from '@handover/adapters-postgres';
import type { Clock, Platforms } from '@handover/domain';
import type { Settings } from '../settings/settings.ts';

export function createMailer({ mail, dataDir }: Settings, leases: ClaimLeases, platforms: Platforms) {
  if (mail.smtpUrl !== null)
    return createSmtpMailer({
      url: mail.smtpUrl,
      from: mail.from,
      connections: mail.smtpConnections,
      isClaimSure: leases.isSure,
      platforms,
    });
  return createOutboxMailer({ directory: `${dataDir}/mail`, from: mail.from, platforms });
}

/** Mails that are kept as files need no server. */
export function createMailCheck({ mail }: Settings): () => Promise<void> {
  return mail.smtpUrl === null ? async () => undefined : createSmtpCheck(mail.smtpUrl);
}

/** The pages at /dev/mail show the files of the mail adapter. */
export function openOutbox({ dataDir }: Settings, clock: Clock): Outbox {
  const directory = `${dataDir}/mail`;
  return {
    list: async () => (await listOutbox(directory)).map(({ at, ...mail }) => ({ ...mail, sentAt: at })),
    read: async (name) => {
      const mail = await readOutboxMail(directory, name);
      return mail && { ...mail, name, sentAt: mail.date ?? clock.now() };
    },
  };
}

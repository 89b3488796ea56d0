import type { EmailKind, EmailMessage, MailAnswer, Mailer } from '@handover/domain';
import type { SimulatedProcess } from '../kernel/process.ts';
import type { Random } from '../kernel/random.ts';
import type { Scheduler } from '../kernel/scheduler.ts';

/**
 * What the mail server does with a mail that reaches it. `accepts-unheard`: it accepts, and the connection breaks
 * before the answer arrives.
 */
export const MAIL_WEATHERS = ['accepts', 'accepts-late', 'accepts-unheard', 'try-again', 'refuses'] as const;
type MailWeather = (typeof MAIL_WEATHERS)[number];

/** A mail that the server has accepted: it will arrive. */
export interface AcceptedMail {
  readonly kind: EmailKind;
  /** The id of the receipt or the mail, from which its Message-ID is made. */
  readonly id: string;
  readonly to: string;
  readonly links: readonly string[];
  readonly at: number;
  readonly by: SimulatedProcess;
  /** Whether the process that sent it certainly still had its claim: a frozen process may have lost it. */
  readonly isClaimed: boolean;
  /** Whether the process that sent it got the answer. */
  readonly isHeard: boolean;
  /** Whether the acceptance was recorded in time. */
  isNoted: boolean;
  /** Whether the call that had to record it failed. */
  isNotingLost: boolean;
}

export interface SimulatedMailServer {
  readonly accepted: readonly AcceptedMail[];
  /** `mixed`: any of the others, chosen for each mail. */
  setWeather(weather: MailWeather | 'mixed'): void;
  /** The server as one process reaches it. */
  connect(process: SimulatedProcess): Mailer;
}

const CONNECTION_TIMEOUT_MS = 30_000;

export function createMailServer(
  scheduler: Scheduler,
  draw: () => Random,
  hasClaim: (process: SimulatedProcess, id: string) => boolean,
  isMet: (weather: MailWeather) => void,
): SimulatedMailServer {
  const accepted: AcceptedMail[] = [];
  let weather: MailWeather | 'mixed' = 'accepts';

  async function send(
    process: SimulatedProcess,
    mail: Pick<AcceptedMail, 'kind' | 'id' | 'to' | 'links'>,
  ): Promise<MailAnswer> {
    await scheduler.turn(process);
    const now: MailWeather = weather === 'mixed' ? draw().pick(MAIL_WEATHERS) : weather;
    isMet(now);
    if (now === 'try-again') return { kind: 'try-again', answer: '450 4.2.0 Try again later' };
    if (now === 'refuses') return { kind: 'refused', answer: '550 5.1.1 No such user' };
    accepted.push({
      ...mail,
      at: scheduler.now(),
      by: process,
      isClaimed: hasClaim(process, mail.id),
      isHeard: now !== 'accepts-unheard',
      isNoted: false,
      isNotingLost: false,
    });
    if (now === 'accepts-late') await scheduler.sleep(process, 1 + draw().below(3_000));
    if (now === 'accepts-unheard') {
      await scheduler.sleep(process, CONNECTION_TIMEOUT_MS);
      return { kind: 'try-again', answer: 'The connection broke' };
    }
    await scheduler.turn(process);
    return { kind: 'accepted', answer: '250 2.0.0 Accepted' };
  }

  return {
    accepted,
    setWeather: (next) => {
      weather = next;
    },
    connect: (process) => ({
      send: (mail) => send(process, { kind: mail.kind, id: mail.mailId, ...describeMail(mail) }),
    }),
  };
}

function describeMail(mail: EmailMessage): Pick<AcceptedMail, 'to' | 'links'> {
  switch (mail.kind) {
    case 'receipt':
      return { to: mail.to.email, links: mail.items.map(({ downloadUrl }) => downloadUrl) };
    case 'links':
      return {
        to: mail.to.email,
        links: mail.shops.flatMap(({ items }) => items.map(({ downloadUrl }) => downloadUrl)),
      };
    case 'alert':
      return { to: mail.to.join(', '), links: [mail.logUrl] };
    default:
      return { to: mail.to.email, links: [mail.url] };
  }
}

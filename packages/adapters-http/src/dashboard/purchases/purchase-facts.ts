import {
  evaluateReceipt,
  isErased,
  type ProductFile,
  type PurchaseLink,
  type PurchaseRecord,
  suggestEmail,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { mailto } from '../../pages/mailto.ts';
import { formatSize } from '../../pages/words.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { type Fact, factsCard } from '../parts/facts.ts';
import { copyIcon, sendIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted, formatTimes } from '../parts/money.ts';
import { restoreForm, revokeButton, revokeDialog } from '../parts/revoke.ts';
import { formatShare } from '../parts/share.ts';
import { dayAndMinute, relativeTime } from '../parts/time.ts';

interface ShownPurchase {
  readonly record: PurchaseRecord;
  /** The URL of the newest link. */
  readonly url: string | null;
  readonly csrfToken: string;
  readonly now: Date;
}

/** Beside the timeline: the buyer, the link, the files and the receipt. */
export function purchaseFacts(shown: ShownPurchase): Html {
  const { record } = shown;
  const card = factsCard([buyer(shown), others(shown), link(shown), files(shown), receipt(shown)]);
  return html`${card}${record.revokedAt === null && askToRevoke(shown)}`;
}

function askToRevoke({ record, csrfToken }: ShownPurchase): Html {
  const { customerName, othersOfOrder, refundedAt } = record;
  return revokeDialog({
    base: baseOf(record),
    customerName,
    csrfToken,
    isRefunded: refundedAt !== null,
    isOneOfSeveral: othersOfOrder.some(({ revokedAt }) => revokedAt === null),
  });
}

function baseOf({ id }: PurchaseRecord): string {
  return `/dashboard/purchases/${id}`;
}

function buyer({ record }: ShownPurchase): Fact {
  const { customerName, customerId, customerEmail, purchasesOfBuyer } = record;
  const others =
    purchasesOfBuyer > 1
      ? html`<a class="link" href="/dashboard/purchases?customer=${customerId}">${counted(purchasesOfBuyer, 'purchase')} in all</a>`
      : html`<span class="muted">The only purchase</span>`;
  const who = isErased(customerEmail)
    ? html`<div class="muted small">Name and address are gone for good.</div>`
    : html`<div class="muted small address">${writeTo(record)}</div>${suggestAddress(record)}`;
  const erase = html`<div class="small"><a class="link" href="${baseOf(record)}/erase">${isErased(customerEmail) ? 'Erase what came since' : 'Erase this buyer'}</a></div>`;
  return {
    term: 'Buyer',
    description: html`<strong><bdi>${customerName}</bdi></strong>${who}<div class="small">${others}</div>${erase}`,
  };
}

/** What is revoked on this page is one product alone. */
function others({ record }: ShownPurchase): Fact | null {
  if (record.othersOfOrder.length === 0) return null;
  return {
    term: 'Also in this order',
    description: html`<ul class="fact-files">${record.othersOfOrder.map(
      ({ id, productName, revokedAt }) =>
        html`<li><a class="link" href="/dashboard/purchases/${id}">${longText(productName)}</a>${revokedAt !== null && html`<span class="muted">Revoked</span>`}</li>`,
    )}</ul>`,
  };
}

/** An answer to the buyer begins here, and names their order. */
function writeTo({ customerEmail, orderNumber, productName }: PurchaseRecord): Html {
  return html`<a class="link" href="${mailto(customerEmail, orderNumber ?? productName)}">${longText(customerEmail)}</a>`;
}

/** A provider's domain that is mistyped often exists, and takes the mail: no refusal tells of it. */
function suggestAddress({ id, customerEmail, revokedAt }: PurchaseRecord): Html | null {
  const meant = revokedAt === null ? suggestEmail(customerEmail) : null;
  if (meant === null) return null;
  return html`<div class="small">Did you mean <strong><bdi>${meant}</bdi></strong>? <a class="link" href="/dashboard/purchases/${id}/address">Correct the address</a></div>`;
}

function link({ record, url, csrfToken, now }: ShownPurchase): Fact | null {
  const { customerName, links } = record;
  const [newest] = links;
  if (!newest || url === null) return null;
  const isRevoked = newest.revokedAt !== null;
  const isExpired = newest.expiresAt <= now;
  const copy = html`<button class="btn" data-variant="outline" data-size="sm" type="button" data-copy="${url}">${copyIcon}<span data-copy-words>Copy link</span></button>`;
  // Without a script the copy button does not work, so the address itself is shown.
  const plain = html`<noscript><div class="mono small address">${url}</div></noscript>`;
  const send = linkButton(`${baseOf(record)}/resend`, {
    words: 'Send a new link',
    icon: sendIcon,
    small: true,
  });
  const replace = linkButton(`${baseOf(record)}/resend?replace=yes`, {
    words: html`Replace<span class="visually-hidden"> ${customerName}’s link</span>`,
    small: true,
  });
  // A buyer who is sent an expired link gets no file. An earlier one works longer if it was opened later.
  const stillWorks = links.some(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now);
  const actions = isErased(record.customerEmail)
    ? null
    : isRevoked
      ? restoreForm({ base: baseOf(record), customerName, csrfToken })
      : html`${isExpired ? send : copy}${stillWorks && replace}${revokeButton(customerName)}`;
  return {
    term: 'Download link',
    description: html`${linkStatus(record, now)}<div class="muted small">${openingsOf(record.links, now)}</div>${isRevoked || isExpired ? '' : plain}${actions && html`<div class="fact-actions">${actions}</div>`}${earlierLinks(record, now)}`,
  };
}

/** Somebody who suspects that a link was passed on sees which ones are out, and how each was used. */
function earlierLinks({ links }: PurchaseRecord, now: Date): Html | null {
  const [, ...earlier] = links;
  if (earlier.length === 0) return null;
  // By its id it stays open when the element that polls is replaced.
  return html`<details class="earlier-links small" id="earlier-links"><summary>${counted(earlier.length, 'earlier link')}</summary><ul class="fact-files">${earlier.map(
    (link) =>
      html`<li><strong>Made ${relativeTime(link.createdAt, now)}</strong><span class="muted">${endOf(link, now)}</span><span class="muted">${openingsOf([link], now)}</span></li>`,
  )}</ul></details>`;
}

function endOf({ revokedAt, expiresAt }: PurchaseLink, now: Date): string {
  if (revokedAt !== null) return 'Revoked';
  return expiresAt <= now ? 'Expired' : 'Still works';
}

function linkStatus({ links }: PurchaseRecord, now: Date): Html | null {
  const [newest] = links;
  if (!newest) return null;
  const { revokedAt, expiresAt } = newest;
  if (revokedAt)
    return html`${statusBadge('link', 'revoked')} <span class="small">${relativeTime(revokedAt, now)}</span>`;
  if (expiresAt <= now) {
    return html`${statusBadge('link', 'expired')} <span class="small">${relativeTime(expiresAt, now)}. The buyer can request a new link.</span>`;
  }
  return html`Works until <strong>${dayAndMinute(expiresAt)}</strong>`;
}

function openingsOf(links: readonly PurchaseLink[], now: Date): Html {
  const count = links.reduce((sum, { openedCount }) => sum + openedCount, 0);
  const latest = links
    .flatMap(({ lastOpenedAt }) => lastOpenedAt ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())[0];
  return count > 0 && latest
    ? html`Opened ${formatTimes(count)}, last ${relativeTime(latest, now)}`
    : html`Not opened yet`;
}

function files({ record, now }: ShownPurchase): Fact {
  const { version } = record;
  if (!version) {
    return {
      term: 'Files',
      description: html`None yet. The link delivers them once the product has a live version. ${linkButton(`/dashboard/products/${record.productId}`, { words: 'Open the product', small: true })}`,
      look: 'small',
    };
  }
  return {
    term: `Files of version ${version.label}`,
    description: html`<ul class="fact-files">${version.files.map(
      (file) =>
        html`<li><strong class="address"><bdi>${file.name}</bdi></strong><span class="muted figure">${formatSize(file.size)}</span><span class="muted">${downloaded(record, version.label, file, now)}</span></li>`,
    )}</ul>${checksums(version.files)}`,
  };
}

/** A buyer whose file does not open compares it with what was uploaded: another sum is a broken download. */
function checksums(files: readonly ProductFile[]): Html {
  // By its id it stays open when the element that polls is replaced.
  return html`<details class="earlier-links small" id="checksums"><summary>SHA-256 checksums</summary><ul class="fact-files">${files.map(
    ({ name, sha256 }) =>
      html`<li><strong class="address"><bdi>${name}</bdi></strong><span class="mono muted address">${sha256}</span></li>`,
  )}</ul></details>`;
}

function downloaded({ sessions }: PurchaseRecord, version: string, { name }: ProductFile, now: Date): Html {
  const sent = sessions.flatMap((session) =>
    session.files
      .filter((file) => file.version === version && file.name === name)
      .map((file) => ({ ...file, lastByteAt: session.lastByteAt })),
  );
  const whole = sent.find((file) => file.whole);
  if (whole) return html`Downloaded ${relativeTime(whole.lastByteAt, now)}`;
  const latest = sent.at(-1);
  return html`${latest ? formatShare(latest) : 'Not downloaded'}`;
}

function receipt({ record, now }: ShownPurchase): Fact {
  const { receipt: mail, customerEmail } = record;
  if (isErased(customerEmail)) return { term: 'Receipt', description: html`Erased with the buyer` };
  const to = mail ? html`<div class="muted small address">To <bdi>${customerEmail}</bdi></div>` : '';
  const see = mail
    ? html`<div class="fact-actions">${linkButton(`${baseOf(record)}/e-mail`, { words: 'See the e-mail', small: true })}</div>`
    : '';
  return { term: 'Receipt', description: html`${receiptStatus(record, now)}${to}${see}` };
}

function receiptStatus(record: PurchaseRecord, now: Date): Html {
  const { receipt: mail } = record;
  const state = evaluateReceipt(record);
  if (state.kind === 'accepted') return html`Accepted ${relativeTime(state.at, now)}`;
  if (mail === null) return html`None requested`;
  if (state.kind === 'left-out')
    return html`Accepted${mail.sentAt && html` ${relativeTime(mail.sentAt, now)}`}, without this purchase`;
  if (state.kind === 'refused') return html`Refused permanently`;
  return mail.attempts === 0 ? html`Queued` : html`Pending, after ${counted(mail.attempts, 'try', 'tries')}`;
}

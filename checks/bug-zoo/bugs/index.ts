import type { Bug } from '../bug.ts';
import { ACCESS_BUGS } from './access.ts';
import { CLAIM_BUGS } from './claims.ts';
import { DOWNLOAD_BUGS } from './downloads.ts';
import { FULFILMENT_BUGS } from './fulfilment.ts';
import { HTTP_BUGS } from './http.ts';
import { MAIL_BUGS } from './mails.ts';
import { MONEY_BUGS } from './money.ts';
import { OPERATING_BUGS } from './operating.ts';
import { TRANSLATE_BUGS } from './platforms-translate.ts';
import { VERIFY_BUGS } from './platforms-verify.ts';
import { QUEUE_BUGS } from './queue.ts';
import { RECEIPT_BUGS } from './receipts.ts';
import { RELEASE_BUGS } from './releases.ts';
import { RETENTION_BUGS } from './retention.ts';
import { STORES_IN_MEMORY_BUGS } from './stores-in-memory.ts';
import { STORES_POSTGRES_BUGS } from './stores-postgres.ts';
import { STORES_POSTGRES_MORE_BUGS } from './stores-postgres-more.ts';

/** All planted bugs, by area. */
export const BUGS: Readonly<Record<string, readonly Bug[]>> = {
  fulfilment: FULFILMENT_BUGS,
  money: MONEY_BUGS,
  receipts: RECEIPT_BUGS,
  claims: CLAIM_BUGS,
  access: ACCESS_BUGS,
  downloads: DOWNLOAD_BUGS,
  platforms: [...VERIFY_BUGS, ...TRANSLATE_BUGS],
  http: HTTP_BUGS,
  mails: MAIL_BUGS,
  'stores-in-memory': STORES_IN_MEMORY_BUGS,
  'stores-postgres': [...STORES_POSTGRES_BUGS, ...STORES_POSTGRES_MORE_BUGS],
  queue: QUEUE_BUGS,
  retention: RETENTION_BUGS,
  releases: RELEASE_BUGS,
  operating: OPERATING_BUGS,
};

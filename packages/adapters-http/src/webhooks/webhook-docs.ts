import type { Platform } from '@handover/domain';
import type { PlatformWebhook } from '@handover/platform-contract';
import { type TObject, Type } from 'typebox';
import { nullableText, nullableUuid, text, uuid } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, jsonErrors, LATE } from '../openapi/responses.ts';

export const OrgParams = Type.Object({
  orgId: text(
    'The id of your organisation, from the webhook URL that the dashboard shows.',
    '019c3f1c-02be-7d10-b5a3-8e4f6c7d9a20',
  ),
});

const Status = (description: string) =>
  Type.Enum(['pending', 'success', 'error', 'held', 'ignored'], { description, examples: ['pending'] });

const EXAMPLE_ID = '019c3f2a-8f6c-7d02-b9e4-1a2b3c4d5e6f';

const Deliveries = Type.Array(
  Type.Object({
    deliveryId: uuid('The entry in the webhook log.', EXAMPLE_ID),
    orderId: nullableText('The platform’s id of the order; `null` when the event names none.', '5001'),
    status: Status('Where it stands now.'),
  }),
  { description: 'An entry for each order of the delivery.' },
);

const ReceivedBody = Type.Object(
  {
    received: Type.Literal(true, { description: 'The delivery is committed: it cannot be lost any more.' }),
    deliveryId: uuid('The entry in the webhook log; of a batch, the first.', EXAMPLE_ID),
    status: Status('Where that entry stands now.'),
    deliveries: Deliveries,
  },
  { $id: 'WebhookReceived', description: 'The delivery was taken in.' },
);

const SharedReceivedBody = Type.Object(
  {
    received: Type.Literal(true, {
      description: 'The event was taken in: what announces an order is committed.',
    }),
    deliveryId: nullableUuid(
      'The entry in the webhook log of its organisation. An order that belongs to nobody yet has it already, and keeps it when it is assigned. `null`: an event that is not a sale and has no organisation is not kept.',
      EXAMPLE_ID,
    ),
    status: Status(
      'The status of that entry now. `held` also: an order that belongs to nobody yet and waits for the service’s operator. `error` also: a thin event of payments-a, which brings no session.',
    ),
    deliveries: Deliveries,
  },
  { $id: 'SharedWebhookReceived', description: 'The event was taken in.' },
);

interface Signature {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** How each platform proves the origin of a delivery. */
const SIGNATURES: Readonly<Record<Platform, Signature>> = {
  'storefront-a': {
    headers: {
      'X-Storefront-A-Hmac-Sha256':
        'Base64 of the HMAC-SHA256 of the raw body with the store’s signing secret. The vendor’s own `X-Shopify-Hmac-Sha256` is read where this one is absent; either may come without `X-`.',
    },
  },
  'storefront-b': {
    headers: {
      'X-Storefront-B-Webhook-Signature':
        'Base64 of the HMAC-SHA256 of the raw body with the shared secret. The vendor’s own `X-WC-Webhook-Signature` is read where this one is absent.',
    },
  },
  'payments-a': {
    headers: {
      'Payments-A-Signature':
        'Time and HMAC-SHA256 of time and raw body. The vendor’s own `Stripe-Signature` is read where this one is absent.',
    },
  },
  'checkout-a': {
    headers: {
      'X-Checkout-A-Signature':
        'Base64 of the HMAC-SHA256 of the raw body with the organisation’s secret; hex is read as well. The vendor’s own `X-FS-Signature` is read where this one is absent.',
    },
  },
  'checkout-a-classic': {
    headers: {
      'X-Security-Data':
        'The text that was signed. Where both headers are absent, the form fields `security_data` and `security_hash` are read.',
      'X-Security-Hash': 'MD5 of that text followed by the private key, in lower-case hex.',
    },
  },
  'cart-a': { query: { secret: 'The shared secret in the webhook URL.' } },
};

/** Documents the address of one organisation. */
export function webhookDocs(platform: PlatformWebhook): OperationDocs {
  return {
    ...describeEndpoint(platform),
    params: OrgParams,
    responses: {
      200: json('The delivery is committed, whatever became of it.', ReceivedBody),
      ...jsonErrors({ ...REFUSALS, 404: 'There is no such organisation.', 429: TOO_MANY }),
    },
  };
}

/** Documents the address that all organisations share. */
export function sharedWebhookDocs(platform: PlatformWebhook): OperationDocs {
  const docs = describeEndpoint(platform);
  return {
    ...docs,
    description: `${docs.description} ${WHOSE}`,
    responses: {
      200: json('The event is taken in, whatever became of it.', SharedReceivedBody),
      ...jsonErrors(REFUSALS),
    },
  };
}

const WHOSE =
  'One address serves all organisations, and the service holds its secret. An event that names an `account` belongs to whom the service’s operator mapped that account to; without one, it belongs to the organisation that the session’s metadata names as `org_id`. An order of neither is answered with 200 too, and waits for the operator.';

const TOO_MANY =
  'Too many requests from this network were refused for this organisation: 100 within five minutes. Its signature was not looked at. Send it again after `Retry-After` seconds.';

const REFUSALS = {
  400: 'Genuine, but it cannot be read. It is in the log, if its organisation is known.',
  401: 'The signature is missing or wrong, or the platform is not set up.',
  408: LATE,
  413: 'The body is larger than 5 MiB.',
  503: 'Nothing could be committed, or too much is coming in at once. Send it again in a moment.',
};

function describeEndpoint({
  label,
  answers,
  triesByHead,
}: PlatformWebhook): Omit<Extract<OperationDocs, { readonly scope?: never }>, 'responses'> {
  const { headers, query } = SIGNATURES[label] ?? {};
  return {
    operationId: `receive${label.replace(/(^|-)(\w)/g, (_match, _dash, letter) => letter.toUpperCase())}`,
    summary: `Take in an order from ${label}`,
    description: [
      answers === 'after-fulfilment' ? FULFILLED : RECORDED,
      'A delivery that cannot be fulfilled is answered with 200 all the same: the webhook log says why.',
      ...(triesByHead ? [TRIED] : []),
    ].join(' '),
    tag: 'Inbound webhooks',
    origin: 'specification',
    access: 'signature',
    ...(headers ? { headers: Type.Partial(listTexts(headers)) } : {}),
    ...(query ? { query: listTexts(query) } : {}),
    body: {
      description: 'The platform’s own notification, byte for byte: signatures are over the bytes.',
      contentTypes: ['*/*'],
      schema: Type.String({ format: 'binary', description: 'As the platform sends it, at most 5 MiB.' }),
    },
    sample: `handover simulate ${label} --org $ORG --sku felt-piano`,
  };
}

const FULFILLED = 'The order is fulfilled before the answer.';
const TRIED =
  '`HEAD` tries the address: 200 if a delivery would be let in, else 401, and nothing comes of it.';
const RECORDED = 'The answer comes as soon as the delivery is recorded; the order is fulfilled after it.';

function listTexts(descriptions: Readonly<Record<string, string>>): TObject {
  const entries = Object.entries(descriptions);
  return Type.Object(
    Object.fromEntries(entries.map(([name, description]) => [name, Type.String({ description })])),
  );
}

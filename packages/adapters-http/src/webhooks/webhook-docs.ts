import type { Platform } from '@handover/domain';
import type { PlatformWebhook } from '@handover/platform-contract';
import { type TObject, Type } from 'typebox';
import { EXAMPLE_IDS, nullableText, nullableUuid, text, uuid } from '../openapi/fields.ts';
import type { OperationDocs } from '../openapi/operation-docs.ts';
import { json, jsonErrors, LATE } from '../openapi/responses.ts';

export const OrgParams = Type.Object({
  orgId: text(
    'The id of your organisation, from the webhook URL that the dashboard shows.',
    EXAMPLE_IDS.organisation,
  ),
});

const Status = (description: string) =>
  Type.Enum(['pending', 'success', 'error', 'held', 'ignored'], { description, examples: ['pending'] });

const Deliveries = Type.Array(
  Type.Object({
    deliveryId: uuid('The entry in the webhook log.', EXAMPLE_IDS.delivery),
    orderId: nullableText('The platform’s id of the order; `null` when the event names none.', '5001'),
    status: Status('Its status now.'),
  }),
  { description: 'An entry for each order of the delivery.' },
);

const ReceivedBody = Type.Object(
  {
    received: Type.Literal(true, { description: 'The delivery is committed, so it cannot be lost.' }),
    deliveryId: uuid('The entry in the webhook log; of a batch, the first.', EXAMPLE_IDS.delivery),
    status: Status('The status of that entry now.'),
    deliveries: Deliveries,
  },
  { $id: 'WebhookReceived', description: 'The delivery was received.' },
);

const SharedReceivedBody = Type.Object(
  {
    received: Type.Literal(true, {
      description: 'The event was received; if it announces an order, that is committed.',
    }),
    deliveryId: nullableUuid(
      'The entry in the webhook log of its organisation. An unassigned order already has it, and keeps it when it is assigned. `null`: an event that is not a sale and has no organisation is not kept.',
      EXAMPLE_IDS.delivery,
    ),
    status: Status(
      'The status of that entry now. `held` is also an unassigned order, which waits for the service’s operator. `error` is also a thin event of payments-a, which contains no session.',
    ),
    deliveries: Deliveries,
  },
  { $id: 'SharedWebhookReceived', description: 'The event was received.' },
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
      200: json('The delivery is committed, with any status.', ReceivedBody),
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
      200: json('The event is received, with any status.', SharedReceivedBody),
      ...jsonErrors(REFUSALS),
    },
  };
}

const WHOSE =
  'One address serves all organisations, and the service holds its secret. An event that names an `account` belongs to the organisation that the operator mapped this account to. An event without an account belongs to the organisation that the session’s metadata names as `org_id`; without that, the account in its `context` counts. Any other order is answered with 200, too, and waits for the operator.';

const TOO_MANY =
  'Too many requests from this network were refused for this organisation: 100 within five minutes. Its signature was not verified. Send it again after `Retry-After` seconds.';

const REFUSALS = {
  400: 'Genuine, but it cannot be read. It is in the log, if its organisation is known.',
  401: 'The signature is missing or wrong, or the platform is not set up.',
  408: LATE,
  413: 'The body is larger than 5 MiB.',
  503: 'Nothing could be committed, or the server is overloaded. Send it again in a moment.',
};

function describeEndpoint({
  label,
  answers,
  triesByHead,
  isPing,
}: PlatformWebhook): Omit<Extract<OperationDocs, { readonly scope?: never }>, 'responses'> {
  const { headers, query } = SIGNATURES[label] ?? {};
  return {
    operationId: `receive${label.replace(/(^|-)(\w)/g, (_match, _dash, letter) => letter.toUpperCase())}`,
    summary: `Receive an order from ${label}`,
    description: [
      answers === 'after-fulfilment' ? FULFILLED : RECORDED,
      'A delivery that cannot be fulfilled is answered with 200, too; the webhook log says why.',
      ...(triesByHead ? [TRIED] : []),
      ...(isPing ? [PINGED] : []),
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

const FULFILLED = 'The order is fulfilled before the response, unless that takes longer than three seconds.';
const TRIED = '`HEAD` tests the address: 200 if a delivery would be accepted, else 401. Nothing is recorded.';
const PINGED =
  'The unsigned ping that the platform sends when its webhook is saved is answered with `received` alone, and not recorded.';
const RECORDED =
  'The response is sent as soon as the delivery is recorded; the order is fulfilled afterwards.';

function listTexts(descriptions: Readonly<Record<string, string>>): TObject {
  const entries = Object.entries(descriptions);
  return Type.Object(
    Object.fromEntries(entries.map(([name, description]) => [name, Type.String({ description })])),
  );
}

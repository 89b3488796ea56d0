import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { LINK_LIFETIME_MS, type RecordSaleResult, recordSale } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preValidationAsyncHookHandler,
} from 'fastify';
import { Type } from 'typebox';
import { type CallerPorts, callerOf, requireCaller } from '../auth/caller.ts';
import { whileDatabaseAnswers } from '../database-answers.ts';
import type { HttpPorts } from '../http-ports.ts';
import { documented } from '../openapi/documented.ts';
import { EXAMPLE_IDS } from '../openapi/fields.ts';
import type { OperationDocs, ResponseDocs } from '../openapi/operation-docs.ts';
import { LATE, refusalsAs } from '../openapi/responses.ts';
import { formatDuration } from '../pages/words.ts';
import { answerFailure } from '../requests/answer-error.ts';
import { EncodedBodyError, isEncoded } from '../requests/content-encoding.ts';
import { addLogContext } from '../requests/request-log.ts';
import { type FormProblem, refuseAsFragment, refuseForm, sendFragment } from './answer-fragment.ts';
import { acceptForms, FIELDS_LIMIT, FORM_LIMIT, readFields } from './form-fields.ts';
import {
  gatherFields,
  listFormProblems,
  makeSaleForm,
  PurchaseForm,
  PurchaseFormHeaders,
} from './purchase-form.ts';

type Ports = CallerPorts & Pick<HttpPorts, 'ids' | 'products' | 'purchases' | 'tokens'>;

const KEY_HEADER = 'Idempotency-Key';

/** Records a sale from a form; the response is an HTML fragment, for errors too. */
export function purchaseFormRoutes(ports: Ports): FastifyPluginAsync {
  const onRequest = requireCaller(ports, refuseAsFragment);
  return async (instance) => {
    const app = instance.withTypeProvider<TypeBoxTypeProvider>();
    await acceptForms(app);
    app.setErrorHandler(answerFailure(refuseAsFragment, WORDS));

    const schema = documented(recordPurchaseDocs, { headers: PurchaseFormHeaders, body: PurchaseForm });
    const route = {
      onRequest,
      preValidation: readBody,
      schema,
      attachValidation: true,
      bodyLimit: FORM_LIMIT,
    };
    app.post('/purchases', route, async (request, reply) => {
      const problems = listProblems(request);
      if (problems.length > 0) return refuseForm(reply, 400, problems);
      const { orgId, by } = callerOf(request);
      const form = makeSaleForm(request.body);
      const idempotencyKey = request.headers['idempotency-key'] ?? null;
      const recording = recordSale(ports, { orgId, source: 'api', idempotencyKey, by }, form);
      const result = await whileDatabaseAnswers(ports.database, recording);
      if (result.kind !== 'recorded') return answerRefused(reply, result);
      const { purchaseId, customerId, linkId } = result;
      const sale = { purchaseId, customerId, url: ports.tokens.url(orgId, linkId), mailed: form.sendEmail };
      return sendFragment(reply, 201, saleFragment(sale));
    });
  };
}

/** Clearer messages for some of the framework's errors, by code. */
const WORDS: ReadonlyMap<string, string> = new Map([
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    'A sale is sent as a form. Send application/x-www-form-urlencoded or multipart/form-data.',
  ],
  [
    'FST_ERR_CTP_BODY_TOO_LARGE',
    `The form is too large. Send at most ${FORM_LIMIT / 1024} KiB, all fields together.`,
  ],
  ['FST_PARTS_LIMIT', `The form has too many fields. Send at most ${FIELDS_LIMIT}.`],
  [
    'store-unavailable',
    `The database cannot be reached right now, and it is not known whether the sale was recorded. Send the form again in a moment, with the same ${KEY_HEADER} header; without one, look at GET /api/purchases first.`,
  ],
]);

/** Replaces the body with the form's fields, so that the schema can check them. */
const readBody: preValidationAsyncHookHandler = async (request, reply) => {
  if (isEncoded(request.headers)) throw new EncodedBodyError();
  const read = await readFields(request);
  // The body's deadline has answered the request already.
  if (reply.sent) return reply;
  switch (read.kind) {
    case 'broken': {
      const sentence =
        'The form cannot be read: it is not well-formed multipart, or it broke off on its way. Send it again.';
      addLogContext(request, { reason: sentence });
      return refuseAsFragment(reply, 400, sentence);
    }
    case 'not-text': {
      const problems = read.names.map((field) => ({
        field,
        sentence: `“${field}” is a file or of another type than text. Send every field as plain text.`,
      }));
      return refuseForm(reply, 400, problems);
    }
    case 'fields': {
      const gathered = gatherFields(read.fields);
      if (gathered.kind === 'invalid') return refuseForm(reply, 400, gathered.problems);
      request.body = gathered.values;
    }
  }
};

function listProblems({
  validationError,
  body,
}: FastifyRequest<{ Body: PurchaseForm }>): readonly FormProblem[] {
  if (validationError?.validationContext === 'headers') {
    return [{ field: KEY_HEADER, sentence: `“${KEY_HEADER}” must be 1 to 255 visible ASCII characters.` }];
  }
  return listFormProblems(body, validationError?.validation ?? []);
}

function answerRefused(
  reply: FastifyReply,
  result: Exclude<RecordSaleResult, { readonly kind: 'recorded' }>,
): FastifyReply {
  const refuse = (status: number, field: string, sentence: string) =>
    refuseForm(reply, status, [{ field, sentence }]);
  switch (result.kind) {
    case 'invalid':
      return refuseForm(
        reply,
        400,
        result.problems.map(({ field, problem }) => ({ field, sentence: `“${field}” ${problem}.` })),
      );
    case 'unknown-product':
      return refuse(
        404,
        'productId',
        'There is no such product. Use its id, not its slug: GET /api/products lists it.',
      );
    case 'unknown-customer':
      return refuse(
        404,
        'customerId',
        'There is no such customer. GET /api/purchases lists customerId beside customerEmail; send “new” for a new customer.',
      );
    case 'customer-exists':
      return refuse(
        422,
        'newCustomer.email',
        `A customer with the address ${result.email} is on record already. Send their id as “customerId” instead of “new”: GET /api/purchases lists customerId beside customerEmail.`,
      );
    case 'key-reused':
      return refuse(
        409,
        KEY_HEADER,
        `This ${KEY_HEADER} came before, with another form. Use a new key for every sale, and the same key only to send the same form again.`,
      );
  }
}

function saleFragment(sale: {
  readonly purchaseId: string;
  readonly customerId: string;
  readonly url: string;
  readonly mailed: boolean;
}): Html {
  const lifetime = formatDuration(LINK_LIFETIME_MS);
  const mail = sale.mailed ? 'It goes to the customer by mail.' : 'No mail is sent.';
  return html`<section data-purchase-id="${sale.purchaseId}" data-customer-id="${sale.customerId}">
<p>The sale is recorded.</p>
<p><a href="${sale.url}">Download link</a>. It works for ${lifetime}, counted anew each time it is opened. ${mail}</p>
</section>
`;
}

function fragment(description: string): ResponseDocs {
  return {
    description,
    contentType: 'text/html',
    schema: Type.String({ description: 'A fragment of HTML, without a document around it.' }),
  };
}

const RECORDED = saleFragment({
  purchaseId: EXAMPLE_IDS.purchase,
  customerId: EXAMPLE_IDS.customer,
  url: 'https://shop.example/d/TOKEN',
  mailed: true,
});

/** `purchase-form.ts` describes the fields and the header, where they are checked. */
const recordPurchaseDocs: OperationDocs = {
  operationId: 'recordPurchase',
  scope: 'purchases:write',
  summary: 'Record a purchase',
  description:
    'Makes the customer (when new), the purchase and the download link in one step, and mails the link if asked to. It works for any product of your organisation: while it has no files, the buyer’s page says so.\n\nResponses are fragments of HTML, for errors, too: check the status. An error has an element with `data-field` for each field that is wrong.',
  tag: 'Purchases',
  origin: 'specification',
  access: 'owner or admin',
  body: {
    description: 'The form’s fields. Blank ones count as missing.',
    contentTypes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    example: {
      customerId: 'new',
      'newCustomer.name': 'Ana Lima',
      'newCustomer.email': 'ana@example.com',
      productId: EXAMPLE_IDS.product,
      amount: '49.00',
      currency: 'EUR',
      paymentMethod: 'custom',
      sendEmail: 'true',
    },
  },
  responses: {
    201: {
      ...fragment(
        'The sale is recorded. The fragment holds the link, and the ids in `data-purchase-id` and `data-customer-id`.',
      ),
      example: String(RECORDED),
    },
    ...refusalsAs(fragment, {
      400: 'Fields are missing or wrong. Each is named, with how to fix it.',
      404: 'No product or no customer of your organisation has this id.',
      408: LATE,
      409: 'The `Idempotency-Key` came before, with another form.',
      413: 'The form is larger than 64 KiB, or has more than 100 fields.',
      415: 'The body is not a form (JSON is not taken), or has a `Content-Encoding`.',
      422: '`customerId` is `new`, and a customer of this address is on record already.',
      503: 'Too much is coming in at once; or the database cannot be reached, and it is not known whether the sale was recorded. Send it again with the same `Idempotency-Key`.',
    }),
  },
};

import { Type } from 'typebox';
import type { OperationDocs, ResponseDocs } from '../openapi/operation-docs.ts';
import { LATE, refusalsAs } from '../openapi/responses.ts';

function fragment(description: string): ResponseDocs {
  return {
    description,
    contentType: 'text/html',
    schema: Type.String({ description: 'A fragment of HTML, without a document around it.' }),
  };
}

const RECORDED = `<section data-purchase-id="019c3f2a-90b1-7e55-a1c8-4d7f30e2b6a9" data-customer-id="019c3f2a-90b0-7a3d-8f12-6b5c4d3e2f10">
<p>The sale is recorded.</p>
<p><a href="https://shop.example/d/TOKEN">Download link</a>, valid for 48 hours from now and from each time it is opened. It is being mailed to the customer.</p>
</section>
`;

/** `purchase-form.ts` describes the fields and the header, where they are checked. */
export const recordPurchaseDocs: OperationDocs = {
  operationId: 'recordPurchase',
  scope: 'purchases:write',
  summary: 'Record a purchase',
  description:
    'Makes the customer (when new), the purchase and the download link in one step, and mails the link if asked to. It works for any product of your organisation: while it has no files, the buyer’s page says so.\n\nAnswers are fragments of HTML, for errors too; go by the status. An error has an element with `data-field` for each field that is wrong.',
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
      productId: '019c3f1e-7a52-7c04-9d1b-3f6a2e8b5c11',
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
      example: RECORDED,
    },
    ...refusalsAs(fragment, {
      400: 'Fields are missing or wrong. Each is named, with how to fix it.',
      404: 'No product or no customer of your organisation has this id.',
      408: LATE,
      409: 'The `Idempotency-Key` came before, with another form.',
      413: 'The form is larger than 64 KiB, or has more than 100 fields.',
      415: 'The body is not a form. JSON is not taken.',
      422: '`customerId` is `new`, and a customer of this address is on record already.',
      503: 'Too much is coming in at once; or the database cannot be reached, and it is not known whether the sale was recorded. Send it again with the same `Idempotency-Key`.',
    }),
  },
};

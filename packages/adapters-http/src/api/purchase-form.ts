import type { SaleForm } from '@handover/domain';
import type { FastifySchemaValidationError } from 'fastify';
import { type Static, Type } from 'typebox';
import type { FormProblem } from './answer-fragment.ts';
import type { FormField } from './form-fields.ts';

/** The form of POST /api/purchases without its blank fields: in a form, blank means missing. */
export const PurchaseForm = Type.Object({
  customerId: Type.String({ description: 'The id of a customer on record, or the word new.' }),
  'newCustomer.name': Type.Optional(
    Type.String({ description: "The new customer's name. Required when customerId is new." }),
  ),
  'newCustomer.email': Type.Optional(
    Type.String({
      description:
        "The new customer's e-mail address. Required when customerId is new. No customer of the organisation may have it yet.",
    }),
  ),
  productId: Type.String({ description: "The product's id (a UUID), not its slug." }),
  amount: Type.String({
    description:
      'A decimal number in whole units of the currency, with a point and at most the digits that the currency has: 49.00 in EUR, 49 or 49.00 in JPY, 49.000 in KWD.',
  }),
  currency: Type.String({ description: 'An ISO 4217 code, such as EUR.' }),
  paymentMethod: Type.String({ description: 'How it was paid, in a word. Integrations send custom.' }),
  sendEmail: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether to mail the download link to the customer. No mail is sent unless it is true.',
    }),
  ),
});

export type PurchaseForm = Static<typeof PurchaseForm>;

export const PurchaseFormHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        'Makes a retry harmless: the same key with the same form records one sale, and answers with it each time, for 30 days unless the service says otherwise. 1 to 255 visible ASCII characters.',
    }),
  ),
});

const NEW_CUSTOMER = ['newCustomer.name', 'newCustomer.email'] as const;
const FIELD_NAMES: readonly string[] = Object.keys(PurchaseForm.properties);

/** What each field contains; follows the message that the field is missing. */
const REMEDIES: Readonly<Record<string, string>> = {
  customerId: 'Send the id of a customer, or “new”.',
  'newCustomer.name': 'It is required when “customerId” is “new”.',
  'newCustomer.email': 'It is required when “customerId” is “new”.',
  productId: 'Send the id of a product, not its slug: GET /api/products lists it.',
  amount: 'Send a decimal number such as 49.00.',
  currency: 'Send an ISO 4217 code such as EUR.',
  paymentMethod: 'Send how it was paid, such as “custom”.',
};

/** The known fields, by name. Unknown fields are ignored. */
export function gatherFields(
  fields: readonly FormField[],
):
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'invalid'; readonly problems: readonly FormProblem[] } {
  const known = fields.filter(([name]) => FIELD_NAMES.includes(name));
  const problems = [...Map.groupBy(known, ([name]) => name)].flatMap(([field, given]) => check(field, given));
  if (problems.length > 0) return { kind: 'invalid', problems };
  const given = known.filter(([, value]) => value.trim() !== '');
  return {
    kind: 'values',
    values: Object.fromEntries(given.map(([name, value]) => [name, tidy(name, value)])),
  };
}

/** Python writes a boolean into a form as True. */
function tidy(name: string, value: string): string {
  return name === 'sendEmail' ? value.trim().toLowerCase() : value;
}

function check(field: string, given: readonly FormField[]): readonly FormProblem[] {
  if (given.length > 1)
    return [{ field, sentence: `“${field}” is given ${given.length} times. Send it once.` }];
  // The replacement character: the sender's bytes were not UTF-8, and the original text is lost.
  if (given.some(([, value]) => value.includes('\uFFFD'))) {
    return [{ field, sentence: `“${field}” is not UTF-8. Send the form in UTF-8.` }];
  }
  return [];
}

/** Lists all missing and invalid fields at once. */
export function listFormProblems(
  values: Readonly<Partial<PurchaseForm>>,
  errors: readonly FastifySchemaValidationError[],
): readonly FormProblem[] {
  const absent = new Set(errors.flatMap(({ params }) => params.requiredProperties ?? []));
  if (values.customerId === 'new') {
    for (const field of NEW_CUSTOMER) if (values[field] === undefined) absent.add(field);
  }
  const missing = FIELD_NAMES.filter((field) => absent.has(field)).map((field) => ({
    field,
    sentence: `“${field}” is missing. ${REMEDIES[field] ?? ''}`,
  }));
  const wrong = errors.some(({ instancePath }) => instancePath === '/sendEmail')
    ? [{ field: 'sendEmail', sentence: '“sendEmail” must be true or false.' }]
    : [];
  return [...missing, ...wrong];
}

export function makeSaleForm(form: PurchaseForm): SaleForm {
  const { customerId, productId, amount, currency, paymentMethod, sendEmail } = form;
  const newCustomer = { name: form['newCustomer.name'] ?? '', email: form['newCustomer.email'] ?? '' };
  return {
    customerId,
    newCustomer: customerId === 'new' ? newCustomer : null,
    productId,
    amount,
    currency,
    paymentMethod,
    sendEmail: sendEmail === 'true',
  };
}

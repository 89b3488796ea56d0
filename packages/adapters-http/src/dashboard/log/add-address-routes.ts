import {
  causeOfError,
  type DeliveryListRow,
  normalizeEmail,
  type OrderReader,
  type Platforms,
  readTypedEmail,
  redeliver,
  runAuditedAction,
} from '@handover/domain';
import { html } from '@handover/html';
import type { HttpPorts } from '../../http-ports.ts';
import { type Answer, action, type DashboardRoute, page } from '../dashboard-route.ts';
import { submitButton } from '../parts/button.ts';
import { textField } from '../parts/form.ts';
import { atIcon } from '../parts/icons.ts';
import { formPage } from '../parts/narrow-page.ts';
import type { Toast } from '../parts/toast.ts';
import { redeliveredToast, titleOfEntry } from './format-entry.ts';

type Ports = Pick<HttpPorts, 'clock' | 'deliveries' | 'fulfilment' | 'ids' | 'inTransaction' | 'platforms'>;

/** Adds the address of the buyer to an order that came without one, and processes it again. */
export function addAddressRoutes(ports: Ports, orders: OrderReader): readonly DashboardRoute[] {
  const { deliveries, platforms } = ports;
  return [
    page('/webhook-log/:deliveryId/address', 'admin', async ({ orgId, params, csrfToken }) => {
      const entry = await deliveries.open(orgId, params.deliveryId);
      if (!entry) return { kind: 'not-found' };
      if (causeOfError(entry) !== 'no-address') return refuseAddress(entry);
      return addAddressPage({ entry, csrfToken, platforms, email: '', problem: null });
    }),

    action('/webhook-log/:deliveryId/address', 'admin', async ({ orgId, by, params, csrfToken }, form) => {
      const id = params.deliveryId;
      const entry = await deliveries.show(orgId, id);
      if (!entry) return { kind: 'not-found' };
      const to = `/dashboard/webhook-log/${id}`;
      const typed = form.get('email') ?? '';
      const email = readTypedEmail(typed);
      if (email === null) {
        const problem = 'It must be an e-mail address.';
        return addAddressPage({ entry, csrfToken, platforms, email: typed, problem });
      }
      const result = await runAuditedAction(
        ports,
        { orgId, by },
        async (within) =>
          (await within.deliveries.addAddress(orgId, id, email))
            ? redeliver({ ...within, orders, platforms }, orgId, id)
            : null,
        (run) =>
          run && {
            kind: 'address-added',
            subjectId: id,
            summary: `${titleOfEntry(platforms, entry)} had no address that mail can be sent to: ${email} is added.`,
          },
      );
      const toast =
        result?.kind === 'redelivered'
          ? redeliveredToast(platforms, result)
          : describeOther(await deliveries.show(orgId, id), email);
      return { kind: 'redirect', to, ...(toast && { toast }) };
    }),
  ];
}

/** Null: the same address was added twice, such as by two quick presses. */
function describeOther(entry: DeliveryListRow | null, email: string): Toast | null {
  const used = entry?.normalizedEmail ?? null;
  if (used === normalizeEmail(email)) return null;
  const why = used === null ? 'It needs no address any more.' : `Somebody else added ${used} meanwhile.`;
  return { title: 'Nothing changed', sentence: `${why} ${email} was not used.` };
}

/** The user's page is out of date: something happened to the order since. */
function refuseAddress({ id }: Pick<DeliveryListRow, 'id'>): Answer {
  const toast = { title: 'No address can be added to this order' };
  return { kind: 'redirect', to: `/dashboard/webhook-log/${id}`, toast };
}

/** Asks for the buyer's address: the order came without one, or with one that no mail can be sent to. */
function addAddressPage({
  entry,
  csrfToken,
  email,
  problem,
  platforms,
}: {
  readonly entry: DeliveryListRow;
  readonly csrfToken: string;
  readonly email: string;
  readonly problem: string | null;
  readonly platforms: Platforms;
}): Answer {
  const back = { href: `/dashboard/webhook-log/${entry.id}`, words: titleOfEntry(platforms, entry) };
  const fields = html`<p>${entry.reason} You find the buyer in ${platforms.vendorOf(entry.platform)} under <strong><bdi>${entry.orderNumber ?? entry.orderId}</bdi></strong>.</p>
<p class="muted">The order is then processed again: what can be delivered is, and the receipt goes to this address.</p>
${textField({ type: 'email', name: 'email', label: 'Buyer’s e-mail address', value: email, required: true, problem })}`;
  return formPage({
    title: 'Add address',
    windowTitle: `Add address: ${back.words}`,
    back,
    status: problem === null ? 200 : 400,
    action: `${back.href}/address`,
    csrfToken,
    fields,
    submit: submitButton({ words: 'Add and deliver', icon: atIcon, primary: true }),
  });
}

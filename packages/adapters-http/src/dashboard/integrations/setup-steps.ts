import { type Platform, type Platforms, SHARED_PLATFORM } from '@handover/domain';

/**
 * Where to click in each vendor's admin, one press after the other; names of events and fields are between backticks. Of a
 * platform of others we only know what all have.
 */
export function listSetupSteps(platforms: Platforms, platform: Platform, orgId: string): readonly string[] {
  const vendor = platforms.vendorOf(platform);
  if (platform === SHARED_PLATFORM) return [...(SETUP_STEPS[platform] ?? []), nameOrganisation(orgId)];
  return (
    SETUP_STEPS[platform] ?? [
      `In ${vendor}, add a webhook for paid orders.`,
      'Paste the webhook URL from this page.',
      platforms.hasSecretInUrl(platform)
        ? `Set the secret in that URL here: ${vendor} signs nothing, so the URL is what proves an order.`
        : `Set the secret here that ${vendor} signs with.`,
    ]
  );
}

function nameOrganisation(orgId: string): string {
  return `Without an account of your own, put \`org_id\` into the metadata as well: \`${orgId}\``;
}

/** The text in the tile of a platform: two letters. */
export function tileOf(platforms: Platforms, platform: Platform): string {
  return TILES[platform] ?? platforms.vendorOf(platform).slice(0, 2);
}

const SETUP_STEPS: Readonly<Record<Platform, readonly string[]>> = {
  'storefront-a': [
    'In the Shopify admin, open Settings, then Notifications, then Webhooks.',
    'Create a webhook for the event Order payment, in the format JSON.',
    'Paste the webhook URL from this page, and save.',
    'Copy the signing secret that Shopify shows below its list of webhooks, and paste it here.',
    'To see refunds here, add a second webhook for the event of new refunds (`refunds/create`). The secret is the same.',
  ],
  'storefront-b': [
    'In WordPress, open WooCommerce, Settings, Advanced, Webhooks, and press Add webhook.',
    'Choose the topic Order updated and the status Active.',
    'Paste the webhook URL as delivery URL, and the same secret there and here.',
    'Save. WooCommerce pings the address once, and is answered.',
  ],
  'payments-a': [
    'The operator of this service adds the webhook URL in Stripe’s developer settings, as an endpoint for `checkout.session.completed` and `checkout.session.async_payment_succeeded`, and `charge.refunded` to see refunds.',
    'They give the endpoint’s secret to the service, and map your account if you sell through one of your own.',
    'Put the SKU into the metadata of each payment link or session: `sku`, or `skus` with commas between.',
  ],
  'checkout-a': [
    'In the FastSpring app, open Developer Tools, then Webhooks, and add a webhook.',
    'Paste the webhook URL, and choose the event `order.completed`, and `return.created` to see refunds.',
    'Enter an HMAC SHA256 secret there, and the same here. FastSpring signs nothing without one.',
    'Save. FastSpring repeats what did not arrive.',
  ],
  'checkout-a-classic': [
    'In FastSpring Classic, open Notify, Custom Notifications, and press Add.',
    'Choose the format HTTP Remote Server Call and the type Order Item, and paste the webhook URL.',
    'Paste the template below as its content.',
    'Copy the notification’s private key, and paste it here. Each notification has a key of its own: add those of others.',
  ],
  'cart-a': [
    'Once, before a secret is set: copy the webhook URL from this page, with the new secret in it, and set that secret here.',
    'In SamCart, open the product’s or the account’s Notify URL (or the Webhooks app).',
    'Paste that URL, secret and all, and save. SamCart signs nothing, so the URL is what proves an order.',
    'ThriveCart and UltraCart take the same URL; UltraCart needs the expansions `billing`, `item`, `summary` and `payment`.',
  ],
};

const TILES: Readonly<Record<Platform, string>> = {
  'storefront-a': 'Sh',
  'storefront-b': 'Wo',
  'payments-a': 'St',
  'checkout-a': 'FS',
  'checkout-a-classic': 'FC',
  'cart-a': 'SC',
};

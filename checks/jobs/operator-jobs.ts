import type { Job } from './job.ts';

const BUYER = 'mira.okafor@example.com';

/** What somebody does who runs a shop, each begun on Overview. They run in this order, on one installation. */
export const OPERATOR_JOBS: readonly Job[] = [
  {
    name: 'new product to published',
    maxClicks: 5,
    work: async (person, { file }) => {
      await person.goTo('Products');
      await person.press('New product');
      await person.type('Name', 'Night Strings');
      await person.press('Add product');
      const version = person.page.locator('[data-uploads][data-ready]');
      await version.waitFor();
      await person.chooseFile(version.locator('input[type=file]'), file);
      await person.press('Publish version 1.0');
      await person.see('Published');
    },
  },
  {
    name: 'connect a shop',
    maxClicks: 3,
    work: async (person) => {
      await person.goTo('Integrations');
      await person.press(/WooCommerce/);
      await person.type(/signing secret/i, 'the-secret-of-the-woo-shop-at-last');
      await person.press('Replace');
      await person.see('The secret is saved');
    },
  },
  {
    name: 'send a test order',
    maxClicks: 3,
    work: async (person) => {
      await person.goTo('Integrations');
      await person.choose('Product', 'Night Strings');
      await person.press('Send test order');
      await person.page.waitForURL(/webhook-log/);
      await person.see('Success');
    },
  },
  {
    name: 'find a buyer',
    maxClicks: 2,
    prepare: async ({ order }) => {
      await order({ number: '2001', email: BUYER });
      return undefined;
    },
    work: async (person) => {
      await person.goTo('Purchases');
      await person.type('Search purchases', 'okafor');
      await person.page.keyboard.press('Enter');
      await person.page.waitForURL(/q=okafor/);
      await person.click(person.page.locator('.row-link').first());
      await person.see('From order to last byte');
    },
  },
  {
    name: 'correct an address and resend',
    maxClicks: 4,
    work: async (person, { findMailed }) => {
      await person.goTo('Purchases');
      await person.click(person.page.locator('.row-link').first());
      await person.press('Correct address');
      await person.type(/address/i, 'mira@okafor.example');
      await person.press('Correct and send');
      await findMailed('mira@okafor.example', /http[^"\s<]+\/d\/[^"\s<]+/);
    },
  },
  {
    name: 'deliver held orders',
    maxClicks: 2,
    prepare: async ({ order, unpublish }) => {
      await unpublish();
      await order({ number: '2002' });
      return undefined;
    },
    work: async (person) => {
      await person.press('Review and publish');
      await person.press(/Publish and deliver 1/);
      await person.see(/Delivering 1 order|Published/);
    },
  },
  {
    name: 'map a SKU and deliver what waits',
    maxClicks: 3,
    prepare: async ({ order }) => {
      await order({ number: '2003', sku: 'NS-OLD-7' });
      return undefined;
    },
    work: async (person) => {
      await person.press('Match the SKU');
      await person.choose('Product', 'Night Strings');
      await person.press(/Map and deliver 1 order/);
      await person.see('Every SKU is matched');
    },
  },
  {
    name: 'record a sale by hand',
    maxClicks: 3,
    work: async (person) => {
      await person.press('Record a sale');
      await person.type(/e-mail address/i, 'tom@example.com');
      await person.type(/name/i, 'Tom Reyes');
      await person.choose('Product', 'Night Strings');
      await person.type('Amount', '49,00');
      await person.type('Payment method', 'bank transfer');
      await person.press('Record the sale');
      await person.see('From order to last byte');
    },
  },
  {
    name: 'revoke and restore',
    maxClicks: 5,
    work: async (person) => {
      await person.goTo('Purchases');
      await person.click(person.page.locator('.row-link').first());
      await person.press('Revoke');
      await person.click(person.page.locator('dialog[open]').getByRole('button', { name: /Revoke/ }));
      await person.see('Its links have stopped working.');
      await person.press('Restore');
      await person.see(/Its links work again/);
    },
  },
  {
    name: 'who downloaded',
    maxClicks: 2,
    prepare: async ({ findMailed }) => {
      const link = await findMailed('tom@example.com', /http[^"\s<]+\/d\/[^"\s<]+/);
      const page = await (await fetch(link)).text();
      const file =
        /href="([^"]+)"[^>]*>[^<]*<[^>]*>?[^<]*Download/.exec(page)?.[1] ??
        /href="(\/d\/[^"]+\/[^"]+)"/.exec(page)?.[1];
      await (await fetch(new URL(file ?? '', link))).arrayBuffer();
      return undefined;
    },
    work: async (person) => {
      await person.goTo('Downloads');
      await person.press(/Tom Reyes|Night Strings/);
      await person.see('tom@example.com');
    },
  },
  {
    name: 'purchases as CSV',
    maxClicks: 2,
    work: async (person) => {
      await person.goTo('Purchases');
      await person.download(/CSV/);
    },
  },
  {
    name: 'invite somebody',
    maxClicks: 3,
    work: async (person, { findMailed }) => {
      await person.goTo('Team');
      await person.press('Invite somebody');
      await person.type('E-mail address', 'sam@example.com');
      await person.press('Mail the invitation');
      await findMailed('sam@example.com', /http[^"\s<]+\/invitations\/[^"\s<]+/);
    },
  },
  {
    name: 'rotate an API key',
    maxClicks: 3,
    work: async (person) => {
      await person.goTo('API keys');
      await person.press(/^Replace/);
      await person.click(
        person.page.locator('dialog[open]').getByRole('button', { name: 'Replace the key' }),
      );
      await person.see(/hnd_\w{20}/);
    },
  },
  {
    name: 'what needs attention',
    maxClicks: 1,
    prepare: async ({ order }) => {
      await order({ number: '2004', sku: 'nobody-knows' });
      return '/dashboard/purchases';
    },
    work: async (person) => {
      await person.goTo('Overview');
      await person.see('One SKU matches no product');
    },
  },
];

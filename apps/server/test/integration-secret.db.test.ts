import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { shareInFile } from '../../../test/undo.ts';
import { runCli, runCliForJson, runCliHere } from './support/server-process.ts';
import { makeOwnerEmail } from './support/shared-server.ts';
import { makeDatabase } from './support/shop.ts';

const installation = shareInFile(async () => {
  const directory = await makeTemporaryDirectory();
  return {
    DATA_DIR: directory,
    PORT: '3000',
    DATABASE_URL: await makeDatabase(),
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
    FILES_URL: `file://${directory}/files`,
  };
});

async function openSetting(platform: string, verb = 'set') {
  const environment = installation();
  const { orgId } = await runCliForJson<{ orgId: string }>(environment, [
    ...['org', 'create', '--name', 'Lumen Audio', '--owner-email', makeOwnerEmail()],
  ]);
  const url = `http://localhost:3000/webhooks/${orgId}/${platform}`;
  return { environment, orgId, url, words: ['integration', verb, '--org', orgId, '--platform', platform] };
}

describe('integration set without a secret', () => {
  it.each(['set', 'add-secret'])('prints the URL and then prompts: integration %s', async (verb) => {
    const { environment, words, url } = await openSetting('storefront-a', verb);
    const questions: string[] = [];
    const { code, stdout, stderr } = await runCliHere(environment, words, async (question) => {
      questions.push(question);
      return 'shopifys-own-secret';
    });
    expect([code, questions.length]).toEqual([0, 1]);
    expect(stderr).toBe(
      `Add a webhook in Shopify with this address; Shopify then shows its signing secret:\n  ${url}\n` +
        'Only this machine reaches it. A shop on the internet needs a server with a public SITE_URL.\n',
    );
    expect(stdout).toContain('The secret of Shopify, connection “main”, is set.');
    expect(stdout + stderr).not.toContain('shopifys-own-secret');
    const again = [...words.with(1, 'add-secret'), '--secret', 'shopifys-own-secret'];
    expect(await runCliForJson(environment, again)).toMatchObject({ added: false });
  });

  it('says that the merchant enters a secret where the platform shows none', async () => {
    const { environment, words, url } = await openSetting('checkout-a');
    const questions: string[] = [];
    const { stderr } = await runCliHere(environment, words, async (question) => {
      questions.push(question);
      return 'our-common-secret';
    });
    expect(stderr).toContain(
      `Add a webhook in FastSpring with this address, and enter a secret of your own there:\n  ${url}\n`,
    );
    expect(questions).toEqual([expect.stringContaining('Paste the same secret here')]);
  });

  it('changes nothing when the prompt is cancelled', async () => {
    const { environment, words } = await openSetting('storefront-a');
    for (const answer of [null, '']) {
      const { code, stderr } = await runCliHere(environment, words, async () => answer);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('No secret was given: nothing was changed.'),
      ]);
    }
  });

  it('is refused without a terminal, and prints the URL', async () => {
    const { environment, words, url } = await openSetting('storefront-b');
    const plain = await runCli(environment, words);
    expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining(`--secret-stdin`)]);
    expect(plain.stderr).toContain(url);
    const json = await runCliHere(environment, [...words, '--json'], async () => 'never-asked-for');
    expect(JSON.parse(json.stdout)).toEqual({ error: expect.stringContaining(url) });
  });

  it('prints no URL for an unknown organisation', async () => {
    const { environment, words, orgId } = await openSetting('storefront-a');
    const nobody = '01900000-0000-7000-8000-000000000000';
    const asked = await runCliHere(
      environment,
      words.map((word) => (word === orgId ? nobody : word)),
      async () => 'never-asked-for',
    );
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('is not an organisation')]);
  });
});

it('prints a public URL without a warning', async () => {
  const { environment, words } = await openSetting('storefront-a');
  const settings = {
    SITE_URL: 'https://get.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@b.test',
  };
  const said = await runCliHere({ ...environment, ...settings }, [
    ...words,
    '--secret',
    'shopifys-own-secret',
  ]);
  expect(said.stdout).toContain('https://get.example.com/webhooks/');
  expect(said.stdout).not.toContain('Only this machine');
  expect(said.stdout).toContain('https://get.example.com/dashboard/settings/integrations/storefront-a\n');
});

describe('the URL of cart-a', () => {
  it('is printed with its secret, and a note that it is secret', async () => {
    const { environment, words, url } = await openSetting('cart-a');
    const given = await runCliHere(environment, [...words, '--secret', 'a secret of 19 chars']);
    expect(given.stdout).toContain(`  ${url}?secret=a%20secret%20of%2019%20chars\nThis URL is secret`);
    const json = await runCliForJson(environment, [...words, '--secret', 'another-secret-of-it']);
    expect(json).toMatchObject({ webhookUrl: url });
  });

  it('gets a generated secret when none is typed', async () => {
    const { environment, words } = await openSetting('cart-a');
    const made = await runCliHere(environment, words, async () => '');
    expect(made.stdout).toMatch(/cart-a\?secret=[\w-]{32}\nThis URL is secret/);
    const typed = await runCliHere(environment, words, async () => 'typed-by-a-person');
    expect(typed.stdout).toContain('/cart-a?secret=typed-by-a-person\n');
    const short = await runCliHere(environment, words, async () => 'short');
    expect([short.code, short.stderr]).toEqual([
      1,
      expect.stringContaining('--secret must have at least 16'),
    ]);
    const unasked = await runCli(environment, words);
    expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('--generate-secret')]);
  });
});

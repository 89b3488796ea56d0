import type { Job } from './job.ts';

/** In a browser that nobody is signed in with. */
export const SIGN_IN: Job = {
  name: 'sign in',
  maxClicks: 4,
  prepare: async () => '/',
  work: async (person, { ownerEmail, findMailed }) => {
    await person.press('Sign in');
    await person.type('E-mail address', ownerEmail);
    await person.press('Mail me a link');
    await followMail(person, await findMailed(ownerEmail, /http[^"\s<]+\/dashboard\/sign-in\/[^"\s<]+/));
    await person.press('Sign in');
    await person.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  },
};

/** What somebody does who bought something. */
export const BUYER_JOBS: readonly Job[] = [
  {
    name: 'buyer: mail to file',
    maxClicks: 2,
    prepare: async ({ order, findMailed }) => {
      await order({ number: '3001', email: 'lea@example.com' });
      await findMailed('lea@example.com', LINK);
      return '/dev/mail';
    },
    work: async (person, { findMailed }) => {
      await followMail(person, await findMailed('lea@example.com', LINK));
      await person.download(/^Download/);
    },
  },
  {
    name: 'buyer: expired link to new one',
    maxClicks: 3,
    prepare: async ({ findMailed, expireLinks }) => {
      const link = await findMailed('lea@example.com', LINK);
      await expireLinks();
      return link;
    },
    work: async (person, { findMailed }) => {
      const expired = new URL(person.page.url()).pathname;
      await person.press(/new link/i);
      const fresh = new RegExp(LINK.source.replace('/d\\/', `/d\\/(?!${expired.slice('/d/'.length)})`));
      await followMail(person, await findMailed('lea@example.com', fresh));
      await person.download(/^Download/);
    },
  },
];

const LINK = /http[^"\s<]+\/d\/[^"\s<]+/;

/** The click on the link of a mail, in whatever program shows it. */
async function followMail({ page, effort }: Parameters<Job['work']>[0], link: string): Promise<void> {
  await page.goto(link);
  effort.clicks += 1;
}

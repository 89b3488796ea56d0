import { type Html, html } from '@handover/html';

/** What buyers' pages say. The English messages are the type of all others, so that a missing one fails to compile. */
export type Messages = typeof en;

export const en = {
  /** Between two sentences. */
  space: ' ',
  /** Subject of a mail to the shop, and what the mail should name. */
  order: (number: string) => `Order ${number}`,

  download: {
    versionFor: (version: string, name: Html) => html`Version ${version}, for ${name}`,
    for: (name: Html) => html`For ${name}`,
    works: ({ left, until, lifetime }: { left: string; until: Html; lifetime: string }) =>
      html`This link works for <strong>another ${left.replace(/^1 /, '')}</strong>, until ${until}. Every time you open it, the ${lifetime} start again.`,
    notReady: 'The files are not ready yet.',
    notReadyWhy: (shop: Html) =>
      html`What you bought is yours, and it will be here as soon as ${shop} has uploaded it. Open this link again later.`,
    newer: (version: Html, address: Html) =>
      html`Version ${version} is available. To get it, write to ${address}.`,
    resume: 'If a download breaks off, press Resume in your browser: it continues where it stopped.',
    questions: (address: Html) => html`Questions? ${address}`,
  },

  files: {
    list: 'Files',
    download: 'Download',
    again: 'Download again',
    all: (count: number, size: string) => `Download ${count === 2 ? 'both' : `all ${count}`} files (${size})`,
    allAsk: 'Your browser may ask whether this page may download several files.',
    allBegun: '{n} of {count} files begun. The list of downloads of your browser shows how far each one is.',
    whole: 'Sent whole',
    stopped:
      'To continue from there, press Resume in your browser’s list of downloads. The button starts again from the beginning.',
    check: 'Check the file (SHA-256)',
  },

  /** Filled in by the page's script: `{…}` are its values. */
  script: {
    starting: 'Starting',
    percent: '{n} %',
    portion: '{sent} of {size}',
    sent: '{portion} sent',
    seconds: 'about {n} s left',
    minutes: 'about {n} min left',
    hours: 'about {n} h left',
    offline: 'no connection right now',
    howFar: 'It stopped at {portion}.',
    nowWhole: '{name}: sent whole',
    nowSent: '{name}: {percent} sent',
    nowStopped: '{name}: stopped at {portion}',
  },

  ended: {
    expired: 'This link has expired',
    expiredWhy: (lifetime: string, product: Html) =>
      html`Links stop working ${lifetime} after they were last opened. What you bought, ${product}, is still yours: we will mail you a new link.`,
    goesTo: (address: Html) => html`We send it to the address of your order, ${address}`,
    mailNew: 'Mail me a new link',
    otherAddress: (address: Html, what: Html) =>
      html`Different address now? Write to ${address} and mention ${what}.`,
    theOrder: (number: Html) => html`<strong>order ${number}</strong>`,
    theAddress: 'the address you ordered with',
    onItsWay: (product: Html, address: Html) =>
      html`A new link to ${product} is on its way to ${address}. It can take a minute, and may land in spam.`,
    nothingThere: (address: Html, what: Html) =>
      html`Nothing there? Write to ${address} and mention ${what}.`,
    mailedAlready: 'The new link has already been sent',
    mailedAlreadyWhy: ({ address, wait, from }: { address: Html; wait: string; from: Html }) =>
      html`It went to ${address}, and may have landed in spam. You can ask for another one in ${wait} (${from}).`,
    revoked: 'This link was withdrawn',
    replacedWhy: (product: Html) =>
      html`The shop has withdrawn this link to ${product}. If a newer one was mailed to you, try that one.`,
    revokedWhy: (product: Html) =>
      html`The shop has ended your access to ${product}. None of its links works any more, and a new one cannot be mailed.`,
    askShop: (address: Html, what: Html) =>
      html`Write to ${address} and mention ${what}. They can tell you why.`,
  },

  my: {
    name: 'My downloads',
    title: 'Get your downloads again',
    lead: 'Type the e-mail address you bought with. We will mail new links for everything you own.',
    email: 'E-mail address',
    invalid: 'Write the whole address, such as ana@example.com.',
    send: 'Mail me my links',
    aside: (tries: number) =>
      `You can ask ${tries} times an hour. The answer is the same for every address, so nobody can find out what you own.`,
    inbox: 'Look in your inbox',
    noted: (address: Html) =>
      html`If anything was bought with ${address}, the mail is on its way. It can take a minute, and may land in spam.`,
    noMail:
      'Nothing there? You may have bought with another address: try that one, or ask the shop you bought from.',
    didYouMean: (address: Html) => html`Did you mean ${address}?`,
    sendThere: 'Mail my links there',
    tooOftenAddress: 'Too many requests for this address',
    tooOftenNetwork: 'Too many requests from your network',
    again: (wait: string, from: Html) =>
      html`Ask again in ${wait} (${from}). Mails already on their way will arrive.`,
  },

  library: {
    title: 'Your library',
    lead: (address: Html) => html`Everything bought with ${address}, newest first.`,
    works: ({ until, lifetime }: { until: Html; lifetime: string }) =>
      html`This page works until ${until}, and you stay signed in to it on this device. Every time you open it, the ${lifetime} start again.`,
    nothing: 'Nothing is left here. Write to the shop if something is missing.',
    bought: (date: Html) => html`Bought on ${date}`,
    replaced:
      'The shop replaced the links to this product after the mail that opened this page. A new mail leads to the files again.',
    noFiles: 'No files yet',
    older: 'Older purchases',
    newest: 'Back to the newest',
    forget: 'Sign out on this device',
    ended: 'Your library has closed',
    endedWhy: 'Ask for your links again: the mail reopens it.',
  },

  notFound: {
    title: 'Nothing at this address',
    heading: 'There is nothing at this address',
    lead: 'Links in mails are long, and some programs cut them short. Press the button in your mail again, or copy the whole link from below it.',
    aside: 'Still stuck? Answer the mail that the link came with: the shop reads it.',
  },

  failure: {
    reference: 'Reference:',
    tryAgain: 'Try again',
    busy: ['We are busy right now', 'Nothing is lost. Try again in a minute.'],
    slow: [
      'The connection was too slow',
      'What you sent did not arrive in time, so nothing was changed. Go back and try again.',
    ],
    files: [
      'The files are not available right now',
      'Your link still works, and nothing is lost. Try the download again in a minute.',
    ],
    database: [
      'We will be back in a moment',
      'Our database cannot be reached right now. Nothing is lost: load this page again in a minute.',
    ],
    server: [
      'Something broke on our side',
      'What you bought is safe. Load this page again; if it stays like this, answer the mail that the link came with and name the reference below.',
    ],
    unreadable: [
      'We could not read this request',
      'Open the link from your mail again. Nothing was changed.',
    ],
  } as Readonly<
    Record<'busy' | 'slow' | 'files' | 'database' | 'server' | 'unreadable', readonly [string, string]>
  > & {
    readonly reference: string;
    readonly tryAgain: string;
  },

  start: {
    heading: 'This site delivers downloads',
    lead: 'Shops use it to hand over what they sell: sample libraries, plug-ins, e-books, software. After an order, the buyer gets an e-mail with a link to the files.',
    bought: 'You bought something',
    boughtWhat:
      'Use the link in your e-mail. If you cannot find it, or the link has expired, we mail you new links to everything you own.',
    shop: 'You work for a shop',
    shopWhat: 'Orders, products and settings are in the dashboard.',
    signIn: 'Sign in',
    version: (version: string) => `Version ${version}`,
  },
};

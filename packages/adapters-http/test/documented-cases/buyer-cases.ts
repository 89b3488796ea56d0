import { revokeLink } from '@handover/domain';
import { BY_JANA } from '@handover/testkit';
import { openTestShop } from '../open-test-shop.ts';
import { type DocumentedOperation, exampleRequest } from '../read-document.ts';
import { sellPads } from '../sell-pads.ts';
import { type Answer, type Case, type Cases, faultOf, plain, type Request, slowly } from './bring-answer.ts';

/** What is found behind a link that is opened. */
type Find = 'works' | 'is unknown' | 'is expired' | 'is withdrawn' | 'fails' | 'hangs';

const LINK: Readonly<Record<number, Case>> = {
  200: link('works'),
  404: link('is unknown'),
  410: link('is expired'),
  500: link('fails'),
  503: link('hangs'),
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const BUYER_CASES: Cases = {
  openDownloadPage: LINK,
  downloadFile: {
    ...LINK,
    206: link('works', { headers: { range: 'bytes=1-2' } }),
    302: async (operation) => {
      const sale = await sellPads(undefined, ({ files }) => ({
        files: { ...files, presign: async () => 'https://s3.example.com/felt' },
      }));
      return sale.app.inject(
        exampleRequest(operation, { token: sale.token, version: '1.0', fileName: 'pads.zip' }),
      );
    },
    304: link('works', { headers: { 'if-none-match': '*' } }),
    412: link('works', { headers: { 'if-match': '"other"' } }),
    416: link('works', { headers: { range: 'bytes=5-' } }),
  },
  readProgress: { ...LINK, 410: link('is withdrawn') },
  completeDownload: {
    ...LINK,
    400: link('works', { payload: '{}' }),
    410: link('is withdrawn'),
    408: slowly,
    413: link('works', { payload: 'x'.repeat(9000) }),
    415: link('works', { headers: { 'content-type': 'text/csv' } }),
  },
  requestNewLink: {
    200: pressNewLink('is expired'),
    303: pressNewLink('works'),
    404: pressNewLink('is unknown'),
    410: pressNewLink('is withdrawn'),
    429: tooOften,
    500: pressNewLink('fails'),
    503: pressNewLink('hangs'),
  },
  openMyPage: {
    200: plain,
    303: async (operation) => {
      const sale = await sellPads();
      const cookie = `handover-library=${sale.libraryToken}`;
      return sale.app.inject({ ...exampleRequest(operation), headers: { cookie } });
    },
  },
  openLibrary: {
    200: library('works'),
    404: library('is unknown'),
    410: library('is expired'),
    500: library('fails'),
    503: library('hangs'),
  },
  leaveLibrary: { 303: plain },
  requestMyLinks: {
    200: askForAll(),
    400: askForAll({ payload: 'email=nobody', headers: FORM }),
    408: slowly,
    413: askForAll({ payload: `email=${'x'.repeat(5000)}`, headers: FORM }),
    415: askForAll({ payload: '{}', headers: { 'content-type': 'application/json' } }),
    429: tooOften,
    500: askForAll({}, 'fails'),
    503: askForAll({}, 'hangs'),
  },
};

/** Opens the link of a sale, or its file. */
function link(find: Find, change: Request = {}): Case {
  return async (operation) => {
    const sale = await sellPads(undefined, ({ links }) => ({
      links: {
        ...links,
        find: find === 'fails' || find === 'hangs' ? () => Promise.reject(faultOf(find)) : links.find,
      },
    }));
    if (find === 'is expired') sale.clock.advance(48 * 60 * 60 * 1000);
    const token = find === 'is unknown' ? 'unknown' : sale.token;
    const linkId = sale.ports.tokens.open(sale.token)?.linkId ?? '';
    if (find === 'is withdrawn') await revokeLink(sale.ports, sale.shop.orgId, linkId, BY_JANA);
    const ids = { token, orgId: sale.shop.orgId, version: '1.0', fileName: 'pads.zip' };
    return sale.app.inject({ ...exampleRequest(operation, ids), ...change });
  };
}

/** Opens the library of the buyer of a sale. */
function library(find: Find): Case {
  return async (operation) => {
    const sale = await sellPads(undefined, ({ links }) => ({
      links: {
        ...links,
        find: find === 'fails' || find === 'hangs' ? () => Promise.reject(faultOf(find)) : links.find,
      },
    }));
    if (find === 'is expired') sale.clock.advance(48 * 60 * 60 * 1000);
    const token = find === 'is unknown' ? 'unknown' : sale.libraryToken;
    return sale.app.inject(exampleRequest(operation, { token }));
  };
}

/** Presses the button of an expired page. */
function pressNewLink(find: Find): Case {
  return async (operation) => {
    const sale = await sellPads(
      (page) => ({ ...page, revokedAt: find === 'is withdrawn' ? new Date(0) : null }),
      ({ links }) =>
        find === 'fails' || find === 'hangs'
          ? { links: { ...links, find: () => Promise.reject(faultOf(find)) } }
          : {},
    );
    if (find !== 'works') sale.clock.advance(48 * 60 * 60 * 1000);
    const token = find === 'is unknown' ? 'unknown' : sale.token;
    return sale.app.inject(exampleRequest(operation, { token }));
  };
}

async function tooOften(operation: DocumentedOperation): Promise<Answer> {
  const sale = await sellPads();
  sale.clock.advance(48 * 60 * 60 * 1000);
  const request = exampleRequest(operation, { token: sale.token });
  for (let tried = 0; tried < 3; tried += 1) await sale.app.inject(request);
  return sale.app.inject(request);
}

/** Sends the form of /my. */
function askForAll(change: Request = {}, fault: 'fails' | 'hangs' | null = null): Case {
  return async (operation) => {
    const testShop = await openTestShop(({ downloadLinkEmails }) =>
      fault
        ? { downloadLinkEmails: { ...downloadLinkEmails, requestAll: () => Promise.reject(faultOf(fault)) } }
        : {},
    );
    return testShop.app.inject({ ...exampleRequest(operation), ...change });
  };
}

import type { DnsFindings, Failed } from './findings.ts';

/** Asks the DNS for texts. None: an empty list. Throws when nobody answers. */
export interface TextRecords {
  list(name: string): Promise<readonly string[]>;
}

/** The part of node:dns that is used. */
interface Resolver {
  resolveTxt(name: string): Promise<string[][]>;
}

export function createTextRecords(resolver: Resolver): TextRecords {
  return {
    list: async (name) => {
      try {
        // Long records come in pieces.
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : null;
        if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
        throw error;
      }
    },
  };
}

/** Selectors that mail providers and servers use, unless they choose random ones. */
const USUAL_SELECTORS = [
  ...['default', 'mail', 'dkim', 'smtp', 'google', 'selector1', 'selector2', 'k1', 'k2', 'k3', 's1', 's2'],
  ...['pm', 'mandrill', 'mailjet', 'mxvault', 'fm1', 'protonmail', 'resend', 'zoho', 'brevo', 'sib'],
];

/** Null: the domain is not public. */
export async function probeDns(
  records: TextRecords,
  domain: string,
  selector: string | null,
): Promise<DnsFindings | null> {
  if (!domain.includes('.') || /\.(localhost|local|internal|lan|test|example|invalid)$/i.test(domain))
    return null;
  const asked = selector === null ? USUAL_SELECTORS : [selector];
  const [spf, dkim, dmarc] = await Promise.all([
    orFailed(async () => (await records.list(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text))),
    orFailed(async () => ({ asked, found: await findKeys(records, domain, asked) })),
    orFailed(() => findPolicy(records, domain)),
  ]);
  return { domain, spf, dkim, dmarc };
}

async function findKeys(
  records: TextRecords,
  domain: string,
  selectors: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    selectors.map(async (selector) => {
      const texts = await records.list(`${selector}._domainkey.${domain}`);
      // A key that is empty was revoked.
      return texts.some((text) => /(^|;)\s*p=\s*[A-Za-z0-9+/]/.test(text)) ? [selector] : [];
    }),
  );
  return found.flat();
}

/** A subdomain has the policy of the domain above it, unless it has its own. */
async function findPolicy(records: TextRecords, domain: string): Promise<readonly string[]> {
  const labels = domain.split('.');
  for (let skipped = 0; labels.length - skipped >= 2; skipped += 1) {
    const texts = await records.list(`_dmarc.${labels.slice(skipped).join('.')}`);
    const policies = texts.filter((text) => /^v=DMARC1\b/i.test(text));
    if (policies.length > 0) return policies;
  }
  return [];
}

async function orFailed<Value>(ask: () => Promise<Value>): Promise<Value | Failed> {
  try {
    return await ask();
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The address that was probably meant, if the domain is a common typing mistake such as ana@gmial.com; else null. The caller
 * shows it as a hint only.
 *
 * Only listed mistakes count: a domain that resembles a large provider's can be right (mail.com, gmx.net), and a wrong hint
 * makes people doubt a right address.
 */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf('@') + 1;
  const typed = email.slice(at).normalize('NFKC').toLowerCase();
  const meant = MEANT.get(typed) ?? correctEnding(typed);
  return at === 0 || meant === null ? null : email.slice(0, at) + meant;
}

function correctEnding(domain: string): string | null {
  const dot = domain.lastIndexOf('.') + 1;
  if (dot === 0 || !NO_ENDINGS.has(domain.slice(dot))) return null;
  const whole = `${domain.slice(0, dot)}com`;
  return MEANT.get(whole) ?? whole;
}

/** Misspellings of .com that are not top-level domains: https://data.iana.org/TLD/tlds-alpha-by-domain.txt (2026). */
const NO_ENDINGS: ReadonlySet<string> = new Set(['cmo', 'comm', 'con', 'cpm', 'ocm', 'vom', 'xom']);

const SLIPS: Readonly<Record<string, string>> = {
  'gmail.com':
    'gmail.co gmail.cm gmail.om gmai.com gmaill.com gmaiil.com gmal.com gmali.com gamil.com gmial.com gmil.com gnail.com gmaul.com gmsil.com ggmail.com',
  'googlemail.com': 'googelmail.com goglemail.com googlemial.com googlemail.co',
  'hotmail.com':
    'hotmail.co hotmail.cm hotmial.com hotmai.com hotmal.com hotmali.com hotnail.com homail.com hotmil.com',
  'icloud.com': 'icloud.co icloud.cm icluod.com iclod.com icoud.com icould.com',
  'outlook.com':
    'outlook.co outlook.cm outlok.com outloook.com outlool.com oulook.com outlock.com outllok.com',
  'yahoo.com': 'yahoo.cm yahoo.om yaho.com yahooo.com yhoo.com yhaoo.com',
};

const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(SLIPS).flatMap(([meant, slips]) => slips.split(' ').map((slip) => [slip, meant] as const)),
);

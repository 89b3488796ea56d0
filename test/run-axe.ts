import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

/** The axe violations of the page, one line each: of all rules, or only about colours. */
export async function runAxe(page: Page, rules: keyof typeof RULES = 'all'): Promise<readonly string[]> {
  // Colours are checked after their transitions.
  await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))');
  await loadAxe(page);
  const { violations, looks } = await page.evaluate<Found>(
    `(${inPage})({ ${RULES[rules]} }, ${JSON.stringify([...readableLooks])})`,
  );
  for (const look of looks) readableLooks.add(look);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

interface Found extends Pick<AxeResults, 'violations'> {
  /** Of texts on this page that have enough contrast. */
  readonly looks: readonly string[];
}

/**
 * The looks of texts that axe found to have enough contrast, on all pages of this process. Measuring contrast is more than
 * half of the work of axe, and most of a page looks like a page before.
 */
const readableLooks = new Set<string>();

const WCAG = `['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']`;
const RULES = {
  all: '',
  colours: `runOnly: {
    type: 'rule',
    values: axe.getRules(['cat.color'])
      .filter(({ tags }) => tags.some((tag) => ${WCAG}.includes(tag)))
      .map(({ ruleId }) => ruleId),
  },`,
} as const;

/**
 * Once per document, because it is half a megabyte. Not by `page.evaluate`, which compiles a text anew for each document:
 * a process of the browser remembers what it compiled for the protocol.
 */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>(`'axe' in window`)) return;
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Runtime.evaluate', { expression: await readAxe() });
}

/** Kept while the page is open: one that ends takes the page's virtual authenticator with it. */
const sessions = new WeakMap<Page, CDPSession>();

let axe: Promise<string> | null = null;

function readAxe(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axe;
}

/**
 * Measures the contrast of no look twice. Two texts look the same if they and all elements around them have the same names,
 * classes, colours and sizes: axe reads nothing else for them, unless something covers a text, and then it does not judge.
 */
const inPage = `async (options, readable) => {
  const known = new Set(readable);
  const measured = new Map();
  const read = new WeakMap();
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast');
  axe.hasText ??= rule.matches;
  rule.matches = (element, ...rest) => {
    if (!hasOwnText(element)) return false;
    const look = readLook(element);
    if (known.has(look) || !axe.hasText.call(rule, element, ...rest)) return false;
    measured.set(element, look);
    return true;
  };
  // Axe scrolls to what it measures, and then a bar that stays in view covers what lies there, each time something else.
  const bars = document.querySelectorAll('header.bar');
  for (const bar of bars) bar.style.position = 'static';
  // Passed rules are not collected: they are many times as large as the violations.
  const resultTypes = ['violations', 'incomplete'];
  const { violations, incomplete } = await axe.run(document, { ...options, resultTypes, elementRef: true });
  // Without a trace afterwards: pages are compared by their markup.
  for (const bar of bars) bar.removeAttribute('style');
  for (const { element } of nodesOf(violations)) measured.delete(element);
  for (const { element } of nodesOf(incomplete)) if (!isOnPicture(element)) measured.delete(element);
  return {
    violations: violations.map(({ id, nodes }) => {
      return { id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) };
    }),
    looks: [...new Set(measured.values())],
  };

  function nodesOf(results) {
    return results.flatMap(({ id, nodes }) => (id === rule.id ? nodes : []));
  }
  /** Axe does not check such text, and a picture belongs to the look. */
  function isOnPicture(element) {
    return element.closest('svg') !== null || getComputedStyle(element).backgroundImage !== 'none';
  }
  /** As axe asks last, after much more. */
  function hasOwnText(element) {
    const isField = ['input', 'select', 'textarea'].includes(element.localName);
    return isField || [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  }
  function readLook(element) {
    if (!read.has(element)) {
      const around = element.parentElement ? readLook(element.parentElement) : '';
      const style = getComputedStyle(element);
      const own = [element.localName, element.getAttribute('class'), element.disabled, style.colorScheme,
        style.color, style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode,
        style.fontSize, style.fontWeight, style.textShadow];
      read.set(element, hash(around + own.join('|')));
    }
    return read.get(element);
  }
  /** Of 64 bits, so that two looks do not share one. */
  function hash(text) {
    let [one, other] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761);
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677);
    }
    return [one, other].map((half) => (half >>> 0).toString(36)).join('-');
  }
}`;

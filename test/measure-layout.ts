/** A page of any browser. */
interface OpenPage {
  /** The value of an expression on it. */
  evaluate<Value>(expression: string): Promise<Value>;
}

/** Longer words, such as addresses, may break anywhere. */
const MAX_WORD = 20;
/** Of a cell of a table, in lines. */
const MAX_LINES = 5;
/** At the end of a select, in pixels. */
const ARROW_ROOM = 30;
/** Between two buttons, in pixels. */
const MIN_GAP = 4;
/** In characters. Longer ones may break, and those with a weekday and a time. */
const MAX_DATE = 26;

/**
 * What cannot be read on the open page, one line each: a page that scrolls sideways, text that is cut off or outside of
 * the screen, a word or a date broken in two, a line that begins with a comma, a cell or a notice too narrow for its
 * text, texts that overlap, buttons that touch or that reach over the edge of their card, a second primary button, and a
 * card whose parts begin at different edges.
 */
export function measureLayout(page: OpenPage): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `(${inPage})(${MAX_WORD}, ${MAX_LINES}, ${ARROW_ROOM}, ${MIN_GAP}, ${MAX_DATE})`,
  );
}

const inPage = String.raw`(maxWord, maxLines, arrowRoom, minGap, maxDate) => {
  const problems = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    problems.add('the page scrolls sideways by ' + (root.scrollWidth - root.clientWidth) + ': ' + findWidest());
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || element.closest('script, style, noscript, select, textarea, svg, dialog:not([open])')) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue;
    if (element.closest('.visually-hidden, .skip, #toaster') || isClipped(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (boxes.length === 0) continue;
    if (isParted(node, boxes)) problems.add('punctuation parted from its word: ' + quote(node.data));
    const cell = element.closest('td, th');
    const words = (text) => quote(text) + (cell ? ' in a cell of ' + Math.round(cell.getBoundingClientRect().width) : '');
    if (cell && new Set(boxes.map(({ top }) => Math.round(top))).size > maxLines) problems.add('too many lines: ' + words(node.data));
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      // A very long word, such as an address, may break anywhere; others only after a hyphen or slash.
      if (word.length > maxWord && /[@._]/.test(word)) continue;
      for (const { 0: part, index: start } of word.matchAll(/[^\-–\/]+[\-–\/]?/g)) {
        // Japanese has no blanks between its words, and breaks between any two characters.
        if (part.length > maxWord || /[\u3040-\u30ff\u4e00-\u9fff]/.test(part)) continue;
        range.setStart(node, index + start);
        range.setEnd(node, index + start + part.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) problems.add('broken word ' + words(part) + ' of ' + words(node.data));
      }
    }
    if (!isScrolled(element)) for (const box of boxes) {
      if (box.right > root.clientWidth + 1 || box.left < -1) problems.add('outside of the screen: ' + words(node.data));
      const frame = frameOf(element);
      if (frame && (box.right > frame.right + 1 || box.left < frame.left - 1)) problems.add('cut off: ' + words(node.data));
      if (cell) {
        const sides = cell.getBoundingClientRect();
        if (box.right > sides.right + 1 || box.left < sides.left - 1) problems.add('wider than its cell: ' + words(node.data));
      }
    }
    if (!isFloating(element) && !isScrolled(element)) shown.push(...boxes.map((box) => ({ box, element, text: words(node.data) })));
  }
  for (const time of document.querySelectorAll('time')) {
    const lines = new Set([...time.getClientRects()].map(({ top }) => Math.round(top)));
    const mayBreak = time.textContent.length > maxDate || /^\D/.test(time.textContent);
    if (time.checkVisibility() && lines.size > 1 && !mayBreak) problems.add('broken date: ' + quote(time.textContent));
  }
  for (const select of document.querySelectorAll('select')) {
    const { paddingRight } = getComputedStyle(select);
    if (select.checkVisibility() && Number.parseFloat(paddingRight) < arrowRoom) problems.add('no room for the arrow: ' + select.name);
  }
  const touching = [...document.querySelectorAll('.btn')].filter((button) => button.checkVisibility() && !button.closest('.copy, .visually-hidden, dialog:not([open])'));
  touching.forEach((button, at) => {
    const box = button.getBoundingClientRect();
    for (const other of touching.slice(at + 1)) {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const isNear = left < box.right + minGap && right > box.left - minGap && top < box.bottom + minGap && bottom > box.top - minGap;
      if (isNear) problems.add('buttons touch: ' + quote(button.textContent) + ' and ' + quote(other.textContent));
    }
  });
  const primary = [...document.querySelectorAll(':not(.copy) > .btn:not([data-variant]), .button-primary')].filter((button) => button.checkVisibility());
  if (primary.length > 1 && !document.querySelector('dialog[open]')) problems.add('primary buttons: ' + primary.map((button) => quote(button.textContent)));
  for (const button of document.querySelectorAll('.btn, .button')) {
    const frame = button.closest('.notice, .log-preview, .card');
    if (!frame || !button.checkVisibility() || isScrolled(button) || isFloating(button)) continue;
    const edge = frame.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(frame).paddingRight);
    if (button.getBoundingClientRect().right > edge + 1) problems.add('over the edge of its card: ' + quote(button.textContent));
  }
  for (const notice of document.querySelectorAll('.notice:has(> .notice-actions)')) {
    const share = notice.querySelector(':scope > div').clientWidth / notice.clientWidth;
    if (notice.checkVisibility() && share < 0.4) problems.add('squeezed by its buttons: ' + quote(notice.textContent));
  }
  for (const card of document.querySelectorAll('.card')) {
    const parts = card.querySelectorAll(':scope > header, :scope > .figures > div, :scope .bulk-bar, :scope .need-list > li, :scope .after-steps, :scope > .facts > div, :is(:scope, :scope > form) > .table-frame > .table > tbody > tr');
    const seen = [...parts].filter((part) => part.checkVisibility());
    const edges = seen.map((part) => [part, ...part.querySelectorAll(':scope > :is(th, td):first-child')].reduce((sum, one) => sum + Number.parseFloat(getComputedStyle(one).paddingLeft), 0));
    if (new Set(edges).size > 1) problems.add('parts of a card begin at ' + [...new Set(edges)].join(' and ') + ': ' + quote(card.textContent));
  }
  const actions = document.querySelector('.page-actions');
  const [menu, before] = [actions?.querySelector(':scope > .menu'), actions?.querySelector(':scope > :nth-last-child(2)')];
  if (menu && before && menu.getBoundingClientRect().top >= before.getBoundingClientRect().bottom) problems.add('the menu stands alone under the buttons');
  shown.sort((one, other) => one.box.top - other.box.top);
  shown.forEach(({ box, element, text }, at) => {
    for (const other of shown.slice(at + 1)) {
      if (other.box.top >= box.bottom - 4) break;
      const isOver = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 2;
      if (isOver && other.element !== element) problems.add('overlap: ' + text + ' and ' + other.text);
    }
  });
  return [...problems];

  function quote(text) {
    return '“' + text.trim().replace(/\s+/g, ' ').slice(0, 40) + '”';
  }
  /** The innermost element that is out of the screen. */
  function findWidest() {
    const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > root.clientWidth + 1);
    return wide.at(-1)?.outerHTML.slice(0, 80);
  }
  function ancestors(element) {
    const found = [];
    for (let at = element; at && at !== document.body; at = at.parentElement) found.push(at);
    return found;
  }
  /** For screen readers only. */
  function isClipped(element) {
    return ancestors(element).some((one) => getComputedStyle(one).clipPath !== 'none');
  }
  /** It can be scrolled to, or it ends in an ellipsis on purpose and its title or page shows the rest. */
  function isScrolled(element) {
    return ancestors(element).some((one) => {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(one);
      return overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    });
  }
  /** Whether a line begins with the punctuation that ends the element before it, or ends with a bracket. */
  function isParted({ data, previousSibling, nextSibling }, boxes) {
    const before = /^[.,;:)!?]/.test(data) && previousSibling?.getClientRects && [...previousSibling.getClientRects()].at(-1);
    const after = /\($/.test(data) && nextSibling?.getClientRects && nextSibling.getClientRects()[0];
    return (before && boxes[0].top >= before.bottom - 4) || (after && after.top >= boxes.at(-1).bottom - 4);
  }
  function isFloating(element) {
    return ancestors(element).some((one) => ['fixed', 'sticky', 'absolute'].includes(getComputedStyle(one).position));
  }
  function frameOf(element) {
    const frame = ancestors(element).find((one) => getComputedStyle(one).overflowX !== 'visible');
    return frame ? frame.getBoundingClientRect() : null;
  }
}`;

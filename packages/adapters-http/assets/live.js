// Changes without a reload: screen readers say them once, and the keyboard stays where it was.
(() => {
  let timer = null;
  // A search swaps its list several times while somebody types: only the last result is said.
  const say = (words) => {
    if (!words) return;
    clearTimeout(timer);
    timer = setTimeout(() => document.getElementById('news')?.replaceChildren(words), 400);
  };
  document.addEventListener('handover:say', ({ detail }) => say(detail));

  // data-news: what an element is about now. The answer to a search is always said, other news only when they are new.
  const readNews = () =>
    [...document.querySelectorAll('main [data-news]')].map(({ dataset }) => dataset.news);
  let known = readNews();
  const sayNews = (isSearch) => {
    const now = readNews();
    say((isSearch ? now : now.filter((words) => !known.includes(words))).join('. '));
    known = now;
  };

  // A poll may replace the focused element by one that says and does the same.
  let focused = null;
  const sameAs = ({ localName, id, href, textContent }) => {
    const alike = [...document.querySelectorAll(`main ${localName}`)];
    return (
      (id && document.getElementById(id)) ||
      alike.find((one) => one.href === href && one.textContent === textContent) ||
      alike.find((one) => href && one.href === href)
    );
  };
  const keepFocus = () => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    (sameAs(focused) ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };

  // An opened entry of the log is read next. Escape goes back to its row.
  const rowOfEntry = () => document.querySelector('.log-row[aria-current] .row-link');
  let opened = null;
  const focusEntry = () => {
    const entry = document.querySelector('.log-entry[tabindex]');
    opened = rowOfEntry()?.closest('.log-row').id ?? opened;
    entry?.focus({ preventScroll: true });
    // On a narrow screen it takes the place of the list, which may have been scrolled.
    if (entry && rowOfEntry()?.checkVisibility() !== true) scrollTo(0, 0);
    return entry;
  };
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open], details.menu[open]')) return;
    if (event.target.closest?.('.log-entry') && rowOfEntry()?.checkVisibility()) rowOfEntry().focus();
  });

  // What was told of new entries of the log, and when: an entry that opens changes neither.
  const toldFields = () => [...document.querySelectorAll('#log-state [name^="told"]')];
  let told = [];
  const keepTold = () => {
    for (const [at, field] of toldFields().entries()) field.value = told[at] ?? field.value;
  };

  document.addEventListener('htmx:before:swap', () => {
    const { activeElement } = document;
    told = toldFields().map(({ value }) => value);
    focused = activeElement === document.body ? null : activeElement;
  });
  document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
    const source = ctx?.sourceElement;
    if (ctx?.request?.headers?.['HX-History-Restore-Request']) {
      known = readNews();
      const row = opened && document.getElementById(opened)?.querySelector('.row-link');
      if (!focusEntry()) (row || document.getElementById('main'))?.focus({ preventScroll: !row });
    } else if (source?.matches?.('.log-row .row-link')) {
      known = readNews();
      keepTold();
      focusEntry();
    } else {
      sayNews(source?.matches?.('main [role="search"]') === true);
      keepFocus();
    }
  });
})();

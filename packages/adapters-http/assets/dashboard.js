// Enhances the pages. Each of them works without it.
(() => {
  const closest = (event, selector) => event.target.closest?.(selector);

  // See live.js.
  const say = (detail) => document.dispatchEvent(new CustomEvent('handover:say', { detail }));

  // <button data-copy="…">Copy</button> says "Copied" for a while.
  document.addEventListener('click', async (event) => {
    const button = closest(event, '[data-copy]');
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      // Browsers have a clipboard for HTTPS alone, and may refuse it.
      window.prompt('Copy it from here:', button.dataset.copy);
      return;
    }
    const words = button.querySelector('[data-copy-words]');
    words.dataset.copyWords ||= words.textContent;
    words.textContent = 'Copied';
    say('Copied');
    setTimeout(() => {
      words.textContent = words.dataset.copyWords;
    }, 2000);
  });

  // A menu closes on a click elsewhere, when the focus leaves it, and on Escape. A dialog that it opened gives the focus back
  // to it.
  const closeMenus = (isLeft) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (isLeft(menu)) menu.open = false;
    }
  };
  document.addEventListener('click', ({ target }) => {
    if (!target.closest?.('dialog')) closeMenus((menu) => !menu.contains(target));
  });
  // A press gives the focus to what is around it where the pressed thing takes none, in Safari a button, too.
  document.addEventListener('focusin', ({ target }) => {
    if (!target.closest?.('dialog')) closeMenus((menu) => !menu.contains(target) && !target.contains(menu));
  });
  document.addEventListener('keydown', (event) => {
    // A dialog closes first, and gives the focus back to the menu.
    if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
    const menu = document.querySelector('details.menu[open]');
    menu?.querySelector('summary').focus();
    closeMenus(() => true);
  });

  // Browsers without invoker commands (command="show-modal" commandfor="…").
  if (!('commandForElement' in HTMLButtonElement.prototype)) {
    document.addEventListener('click', (event) => {
      const button = closest(event, 'button[commandfor]');
      const dialog = button && document.getElementById(button.getAttribute('commandfor'));
      if (button?.getAttribute('command') === 'show-modal') dialog?.showModal();
      if (button?.getAttribute('command') === 'close') dialog?.close();
    });
  }

  // <button data-pause="#list">: pauses a list that polls, until it is pressed again. A search or an opened entry replaces both.
  let isPaused = false;
  const showPause = () => {
    const button = document.querySelector('[data-pause]');
    const list = button && document.querySelector(button.dataset.pause);
    if (!list) return;
    list.toggleAttribute('data-paused', isPaused);
    button.setAttribute('aria-pressed', String(isPaused));
    button.parentElement.toggleAttribute('data-paused', isPaused);
    button.parentElement.querySelector('[data-live-words]').textContent = isPaused ? 'Paused' : 'Live';
  };
  document.addEventListener('click', (event) => {
    if (!closest(event, '[data-pause]')) return;
    isPaused = !isPaused;
    showPause();
  });
  document.addEventListener('htmx:after:swap', () => isPaused && showPause());
  // A paused list neither polls nor shows the response to an earlier poll. Nor does what holds an open dialog: a refresh
  // would close it while somebody reads it. The last moment counts: a dialog may open while a response arrives.
  const rests = (part) =>
    document.querySelector('[data-polls][data-paused]') !== null ||
    part.querySelector('dialog[open]') !== null;
  for (const moment of ['htmx:before:request', 'htmx:before:swap'])
    document.addEventListener(moment, (event) => {
      if (event.target.matches?.('[data-polls]') && rests(event.target)) event.preventDefault();
    });

  // Content that refreshes itself (data-calm) does not move while the user is about to click.
  let movedAt = -Infinity;
  document.addEventListener('pointermove', () => {
    movedAt = performance.now();
  });
  for (const moment of ['htmx:before:request', 'htmx:before:swap'])
    document.addEventListener(moment, (event) => {
      const calm = closest(event, '[data-calm]');
      if (!calm || event.target !== calm) return;
      const isBusy = performance.now() - movedAt < 5000 || calm.contains(document.activeElement);
      if (isBusy) event.preventDefault();
    });

  // A pressed button keeps its width, shows that it is busy, and ignores a second click.
  document.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (!button || event.defaultPrevented || event.target.method !== 'post') return;
    if (event.target.dataset.sent) return event.preventDefault();
    presses += 1;
    event.target.dataset.sent = presses;
    button.setAttribute('aria-busy', 'true');
    // In time also after the Stop button, of which no script is told.
    setTimeout(allowPress, 10_000, event.target, button, presses);
  });
  let presses = 0;
  // A form that was sent again since then waits for its own time.
  const allowPress = (form, button, press) => {
    if (form.dataset.sent !== String(press)) return;
    delete form.dataset.sent;
    button.removeAttribute('aria-busy');
  };
  // After the back button, each form is usable again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
    for (const button of document.querySelectorAll('button[aria-busy]')) button.removeAttribute('aria-busy');
  });

  // data-select: how many rows are selected, and all of the page at once. Buttons that would do nothing are disabled.
  const countSelected = (form) => {
    const boxes = [...form.querySelectorAll('tbody [type="checkbox"]')];
    const count = boxes.filter((box) => box.checked).length;
    form.querySelector('[data-selected]').textContent = count === 0 ? '' : `${count} selected`;
    const all = form.querySelector('[data-select-page]');
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    const isAny = count > 0 || form.querySelector('[name="all"]')?.checked === true;
    for (const button of form.querySelectorAll('.bulk-bar button')) button.disabled = !isAny;
  };
  const countEverySelected = () => document.querySelectorAll('[data-select]').forEach(countSelected);
  // The list was searched while somebody typed. To leave the field would search again, and lose what was selected meanwhile.
  document.addEventListener(
    'change',
    (event) => {
      if (event.target.matches('form[hx-trigger] [type="search"]')) event.stopPropagation();
    },
    true,
  );
  document.addEventListener('change', (event) => {
    const form = closest(event, '[data-select]');
    if (!form) return;
    if (event.target.matches('[data-select-page]'))
      for (const box of form.querySelectorAll('tbody [type="checkbox"]')) box.checked = event.target.checked;
    countSelected(form);
  });
  countEverySelected();
  // A search brings another list.
  document.addEventListener('htmx:after:swap', countEverySelected);
  // The back button leaves boxes checked.
  addEventListener('pageshow', countEverySelected);

  // Screen readers say what is added to a live region, not what is in it when the page loads.
  const toaster = document.getElementById('toaster');
  const toasts = [...(toaster?.children ?? [])];
  toaster?.replaceChildren();
  setTimeout(() => toaster?.append(...toasts), 150);

  // Pages say times in UTC, as logs and exports do. Who points at one also reads it in the zone of the browser.
  const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' });
  const sayHere = (time) => {
    const here = time && `${LOCAL.format(new Date(time.dateTime))}, where you are`;
    if (!here || time.title.includes(here) || LOCAL.resolvedOptions().timeZone === 'UTC') return;
    time.title = [time.title, here].filter(Boolean).join('\n');
  };
  const MOMENT = 'time[datetime*="T"]';
  document.addEventListener('pointerover', (event) => sayHere(closest(event, MOMENT)));
  // A poll brings the title of the server back.
  document.addEventListener('htmx:after:swap', () => sayHere(document.querySelector(`${MOMENT}:hover`)));

  // Keys without a modifier work anywhere but in a field, and can be turned off in the dialog that lists them.
  const OFF = 'handover-shortcuts-off';
  // Found anew each time: the page of an error replaces the dialogs, too.
  const shortcuts = () => document.getElementById('shortcuts');
  const showToggle = () => {
    const toggle = shortcuts()?.querySelector('[type="checkbox"]');
    if (toggle) toggle.checked = localStorage.getItem(OFF) === null;
  };
  showToggle();
  document.addEventListener('htmx:after:swap', showToggle);
  document.addEventListener('change', ({ target }) => {
    if (!target.closest('#shortcuts')) return;
    if (target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'true');
  });

  const current = () => document.querySelector('.log-row[aria-current] .row-link');
  const moveInList = (step) => {
    const rows = [...document.querySelectorAll('main :is(.row-link, .hit, .need-list > li > .btn)')].filter(
      (row) => row.checkVisibility(),
    );
    // From its checkbox, too.
    const here = document.activeElement.closest('tr')?.querySelector('.row-link') ?? document.activeElement;
    // From within the open entry of the log, too.
    const at = rows.includes(here)
      ? rows.indexOf(here)
      : rows.indexOf(here.closest('.log-entry') && current());
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
    rows[next]?.focus();
    rows[next]?.scrollIntoView({ block: 'nearest' });
    return rows.length > 0;
  };
  const focusField = (field) => {
    field?.focus();
    field?.select();
    return Boolean(field);
  };
  const focusSearch = () => focusField(document.querySelector('main .search .input')) || openSearch();

  // The search for everything: a dialog on every page but its own. Its results are links.
  const everywhere = () => document.getElementById('search-everywhere');
  const fieldOf = (place) => place.querySelector('[name="q"]');
  const openSearch = () => {
    const page = document.querySelector('main [data-everywhere]');
    if (page) return focusField(fieldOf(page));
    if (!everywhere()) return false;
    everywhere().showModal();
    return focusField(fieldOf(everywhere()));
  };
  document.addEventListener('click', (event) => {
    if (event.target === everywhere()) event.target.close();
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (isPlain && closest(event, '[data-open-search]') && openSearch()) event.preventDefault();
  });
  // The arrows go from the field through the results and back. Enter in the field opens the best one.
  document.addEventListener('keydown', (event) => {
    const place = closest(event, '[data-everywhere]');
    if (!place || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const hits = [...place.querySelectorAll('.hit')];
    const at = hits.indexOf(document.activeElement);
    if (event.key === 'ArrowDown') hits[Math.min(at + 1, hits.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (hits[at - 1] ?? fieldOf(place)).focus();
    else if (event.key === 'Enter' && event.target === fieldOf(place) && isCurrent(place)) hits[0].click();
    else {
      // Who goes on typing changes the text.
      if (at >= 0 && event.key.length === 1 && event.key !== ' ' && place.closest('dialog'))
        fieldOf(place).focus();
      return;
    }
    event.preventDefault();
  });
  const isCurrent = (place) =>
    place.querySelector('[data-for]')?.dataset.for === fieldOf(place).value &&
    place.querySelector('.hit') !== null;
  if (/Mac|iPhone|iPad/.test(navigator.platform))
    for (const key of document.querySelectorAll('[data-shortcut]')) key.textContent = '⌘ K';
  const SHORTCUTS = {
    j: () => moveInList(1),
    k: () => moveInList(-1),
    x: () => {
      const box = document.activeElement.closest('tr')?.querySelector('[type="checkbox"]');
      box?.click();
      return Boolean(box);
    },
    '/': focusSearch,
    '?': () => {
      shortcuts()?.showModal();
      return Boolean(shortcuts());
    },
  };
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey
    )
      return;
    if (localStorage.getItem(OFF) !== null || document.querySelector('dialog[open]')) return;
    if (openSearch()) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (closest(event, 'input:not([type="checkbox"]), textarea, select, [contenteditable], dialog')) return;
    if (localStorage.getItem(OFF) !== null || document.querySelector('dialog[open]')) return;
    if (SHORTCUTS[event.key]?.()) event.preventDefault();
  });
})();

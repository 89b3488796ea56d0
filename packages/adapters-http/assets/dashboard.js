// What the pages do beyond HTML. Each of them works without it.
(() => {
  const closest = (event, selector) => event.target.closest?.(selector);

  // <button data-copy="…">Copy</button> answers "Copied" for a while.
  document.addEventListener('click', async (event) => {
    const button = closest(event, '[data-copy]');
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    const words = button.querySelector('[data-copy-words]');
    const before = words.textContent;
    words.textContent = 'Copied';
    setTimeout(() => {
      words.textContent = before;
    }, 2000);
  });

  // A menu closes at a click elsewhere, and at Escape.
  const closeMenus = (but) => {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (menu !== but) menu.open = false;
    }
  };
  document.addEventListener('click', (event) => closeMenus(closest(event, 'details.menu')));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const menu = document.querySelector('details.menu[open]');
    menu?.querySelector('summary').focus();
    closeMenus(null);
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

  // <button data-pause="#list">: a list that asks for what is new by itself leaves it until it is told to go on.
  document.addEventListener('click', (event) => {
    const button = closest(event, '[data-pause]');
    const list = button && document.querySelector(button.dataset.pause);
    if (!list) return;
    const isPaused = list.toggleAttribute('data-paused');
    button.setAttribute('aria-pressed', String(isPaused));
    button.parentElement.toggleAttribute('data-paused', isPaused);
    button.parentElement.querySelector('[data-live-words]').textContent = isPaused ? 'Paused' : 'Live';
  });
  // Neither asks, nor shows what was asked just before.
  for (const moment of ['htmx:before:request', 'htmx:before:response'])
    document.addEventListener(moment, (event) => {
      const isPaused = document.querySelector('[data-polls][data-paused]') !== null;
      if (isPaused && event.target.matches?.('[data-polls]')) event.preventDefault();
    });

  // What refreshes by itself (data-calm) leaves everything where it is while someone is about to press something.
  let movedAt = -Infinity;
  document.addEventListener('pointermove', () => {
    movedAt = performance.now();
  });
  document.addEventListener('htmx:before:request', (event) => {
    const calm = closest(event, '[data-calm]');
    if (!calm || event.target !== calm) return;
    const isBusy = performance.now() - movedAt < 5000 || calm.contains(document.activeElement);
    if (isBusy) event.preventDefault();
  });

  // What asks by itself and is not answered leaves the page as it is, says so, and goes on asking.
  const tellLive = (isAnswered) => {
    const words = document.querySelector('.live-mark:not([data-paused]) [data-live-words]');
    if (words) words.textContent = isAnswered ? 'Live' : 'No answer, trying again';
  };
  document.addEventListener('htmx:before:response', (event) => {
    if (!event.target.matches?.('[data-polls], [data-calm]')) return;
    const isAnswered = event.detail.ctx.response.status < 500;
    tellLive(isAnswered);
    if (!isAnswered) event.preventDefault();
  });
  document.addEventListener('htmx:error', (event) => {
    if (event.target.matches?.('[data-polls]')) tellLive(false);
  });

  // A search that is not answered keeps what was typed and what was found, says so, and asks again at the next key.
  const tellSearch = (event, isAnswered) => {
    const problem =
      event.target.matches?.('[role="search"]') && event.target.querySelector('[data-search-problem]');
    if (problem) problem.hidden = isAnswered;
    return Boolean(problem);
  };
  document.addEventListener('htmx:before:response', (event) => {
    const isAnswered = event.detail.ctx.response.status < 500;
    if (tellSearch(event, isAnswered) && !isAnswered) event.preventDefault();
  });
  document.addEventListener('htmx:error', (event) => tellSearch(event, false));

  // A pressed button keeps its width, says that it is busy, and cannot be pressed twice.
  document.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (!button || event.defaultPrevented || event.target.method !== 'post') return;
    if (event.target.dataset.sent) return event.preventDefault();
    event.target.dataset.sent = 'true';
    button.setAttribute('aria-busy', 'true');
  });
  // Back from the next page, the form is new again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
    for (const button of document.querySelectorAll('button[aria-busy]')) button.removeAttribute('aria-busy');
  });
})();

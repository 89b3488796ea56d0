// Which answers change the page. A server that is away sends none, and a proxy before it pages of its own.
(() => {
  const HEARD_WITHIN_MS = 10_000;

  // An error of ours says what it replaces.
  const isForeign = ({ response: { status }, hx }) => status >= 400 && hx.retarget === undefined;
  const isAnswered = (ctx) => ctx.response.status < 500 && !isForeign(ctx);

  // When a poll fails, the page stays as it is, says so, and goes on polling.
  const tellLive = (answered) => {
    const words = document.querySelector('.live-mark:not([data-paused]) [data-live-words]');
    const now = answered ? 'Live' : 'No answer, trying again';
    if (!words || words.textContent === now) return;
    words.textContent = now;
    // See live.js.
    document.dispatchEvent(new CustomEvent('handover:say', { detail: now }));
  };
  document.addEventListener('htmx:before:response', (event) => {
    if (!event.target.matches?.('[data-polls], [data-calm]')) return;
    const answered = isAnswered(event.detail.ctx);
    tellLive(answered);
    if (!answered) event.preventDefault();
  });
  document.addEventListener('htmx:error', (event) => {
    if (event.target.matches?.('[data-polls]')) tellLive(false);
  });
  // A lost connection may not be told for a minute. The poll itself goes on: a server that is slow must not be asked anew.
  document.addEventListener('htmx:before:request', ({ target, detail: { ctx } }) => {
    if (target.matches?.('[data-polls]')) ctx.overdue = setTimeout(tellLive, HEARD_WITHIN_MS, false);
  });
  document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => clearTimeout(ctx.overdue));

  // When a search fails, the typed text and the last result stay; it says so, and searches again at the
  // next key.
  const tellSearch = (event, answered) => {
    const problem =
      event.target.matches?.('[role="search"]') && event.target.querySelector('[data-search-problem]');
    if (problem) problem.hidden = answered;
    return Boolean(problem);
  };
  document.addEventListener('htmx:before:response', (event) => {
    const answered = isAnswered(event.detail.ctx);
    if (tellSearch(event, answered) && !answered) event.preventDefault();
  });
  document.addEventListener('htmx:error', (event) => tellSearch(event, false));

  // What a link or the back button leads to is then up to the browser, as without a script: its address can be loaded again.
  const isWayTo = ({ target, detail: { ctx } }) =>
    target.matches?.('a') || ctx?.request.headers['HX-History-Restore-Request'] !== undefined;
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = event.detail;
    if (!isForeign(ctx) || !isWayTo(event)) return;
    event.preventDefault();
    location.assign(ctx.request.action);
  });
  // Some browsers break requests off when another page is asked for, which then comes.
  let isLeaving = false;
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  document.addEventListener('htmx:error', (event) => {
    const { ctx } = event.detail;
    if (ctx && isWayTo(event) && !isLeaving) location.assign(ctx.request.action);
  });
})();

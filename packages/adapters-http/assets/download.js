// Shows on each file's row the progress of the browser's own download, as the server sees it. The links are
// plain and work without this script: it fetches only numbers.

const POLL_MS = 1000;
/** A download that pauses has most often stopped for good, so it is polled less often. */
const POLL_STOPPED_MS = 4000;
const STOPPED_AFTER_MS = 10_000;
/** How long a row that had progress when the page loaded is assumed to be moving. */
const BELIEVED_MS = 3000;
const GIVE_UP_AFTER_MS = 30 * 60 * 1000;
const RATE_OVER_MS = 15_000;
/** A lost connection may not be told: without this, the numbers would stand still for minutes, as in a browser that has no limit. */
const HEARD_WITHIN_MS = 10_000;

const list = document.querySelector('[data-progress]');
const messages = JSON.parse(list.dataset.messages);
const status = document.querySelector('[data-status]');
const rows = [...list.querySelectorAll('[data-name]')].map(readRow);
let lastByteAt = null;
/** The session that the rows show, first seen before it was completed; another page may complete it. */
let followed = null;
let hasEnded = false;
let completed = null;
/** Everything was sent, and the server does not know it yet: also while it cannot be asked. */
let isUncompleted = false;
let timer = null;
let isReached = true;
const unsaid = [];

for (const row of rows) {
  for (const link of row.links) {
    link.addEventListener('click', () => {
      askAnew(link);
      begin(row);
    });
  }
}
void look(true);

function readRow(element) {
  const { name, version, size } = element.dataset;
  return {
    element,
    name,
    version,
    size: Number(size),
    links: element.querySelectorAll('a'),
    state: 'offered',
    sent: 0,
    quarter: 0,
    changedAt: 0,
    samples: [],
    // The sessions that had sent bytes of it: the latest, and that of when its download was pressed.
    sentIn: null,
    sentBeforeIn: null,
  };
}

/** A new address prevents the browser from using its own cache, of which the server would not know. */
function askAnew(link) {
  link.search = `?pressed=${Date.now().toString(36)}`;
}

function begin(row) {
  const hadFocus = row.element.contains(document.activeElement);
  // Without a running download the session is over, or will be once the server knows.
  const moving = rows.some(({ state }) => state === 'sending' || state === 'stopped');
  if (hasEnded || !moving) followed = null;
  const { sentIn } = row;
  Object.assign(row, { sent: 0, quarter: 0, changedAt: Date.now(), samples: [], sentBeforeIn: sentIn });
  show(row, 'sending');
  // The button is removed: a keyboard user continues at the file's name.
  if (hadFocus) row.element.querySelector('h2').focus({ preventScroll: true });
  schedule(POLL_MS / 2);
}

function schedule(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(look, milliseconds);
}

async function look(isFirst = false) {
  const progress = await readProgress();
  noteReach(progress !== 'offline');
  if (progress === 'gone') {
    for (const row of rows) if (row.state !== 'whole') show(row, 'offered');
    return;
  }
  if (progress?.session) {
    if (isFirst === true) pickUp(progress);
    apply(progress);
    await completeIfWhole(progress);
    const { session, whole } = progress;
    isUncompleted = whole && session.completedAt === null && completed !== session.id;
  }
  const busy = rows.some(({ state }) => state === 'sending');
  const waiting = rows.some(
    ({ state, changedAt }) => state === 'stopped' && Date.now() - changedAt < GIVE_UP_AFTER_MS,
  );
  if (busy || waiting || isUncompleted) schedule(busy ? POLL_MS : POLL_STOPPED_MS);
}

/** Null when the server is busy or fails: what the rows show stays. */
async function readProgress() {
  try {
    const signal = AbortSignal.timeout?.(HEARD_WITHIN_MS);
    const answer = await fetch(list.dataset.progress, { cache: 'no-store', signal });
    if (answer.ok) return await answer.json();
    return isOurs(answer) && (answer.status === 404 || answer.status === 410) ? 'gone' : null;
  } catch {
    return 'offline';
  }
}

/** A proxy that finds no server, as while one is replaced, answers 404 with a page of its own. */
function isOurs(answer) {
  return answer.headers.get('content-type')?.startsWith('application/json') === true;
}

/** Without an answer the numbers are old: rows say so, instead of a time that would not pass. */
function noteReach(reached) {
  if (reached === isReached) return;
  isReached = reached;
  const sending = rows.filter(({ state }) => state === 'sending');
  for (const row of sending) show(row, 'sending');
  if (!reached && sending.length > 0) announce(messages.offline);
  if (reached && status.textContent === messages.offline) announce('');
}

/** A download that began before this page loaded may still be moving. */
function pickUp({ session, files }) {
  for (const row of rows) {
    const file = findFile(files, row);
    if (!file || file.sent === 0) continue;
    if (session.completedAt !== null) row.sentBeforeIn = session.id;
    if (session.completedAt !== null || row.state !== 'offered') continue;
    row.sent = file.sent;
    row.quarter = quarterOf(row);
    row.changedAt = Date.now() - STOPPED_AFTER_MS + BELIEVED_MS;
    show(row, 'sending');
    row.element.toggleAttribute('data-believed', true);
  }
}

function apply({ session, files }) {
  const moving = rows.filter(({ state }) => state === 'sending' || state === 'stopped');
  const anyByte = session.lastByteAt !== lastByteAt && lastByteAt !== null;
  lastByteAt = session.lastByteAt;
  // A session that was completed before this download began says nothing about it.
  if (session.completedAt === null) followed = session.id;
  hasEnded = session.completedAt !== null;
  for (const row of rows) {
    const file = findFile(files, row);
    if (file?.sent > 0) row.sentIn = session.id;
    if (!moving.includes(row)) continue;
    // It may have joined the session of other files while that was being completed.
    const isNew = row.sentIn === session.id && row.sentBeforeIn !== session.id;
    if (session.id === followed || isNew) update(row, file, anyByte && moving.length === 1);
    if (row.state === 'sending' && Date.now() - row.changedAt > STOPPED_AFTER_MS) stop(row);
  }
}

function findFile(files, { name, version }) {
  return files.find((file) => file.name === name && file.version === version);
}

function update(row, file, stillSending) {
  if (!file) return;
  if (file.whole) {
    show(row, 'whole');
    announce(fill(messages.nowWhole, { name: row.name }));
    return;
  }
  // A restarted download sends the same bytes again, so the sum stands still for a while.
  if (file.sent === row.sent && !stillSending) return;
  const now = Date.now();
  row.sent = file.sent;
  row.changedAt = now;
  row.samples = [...row.samples.filter(({ at }) => now - at < RATE_OVER_MS), { at: now, sent: file.sent }];
  show(row, 'sending');
  const quarter = quarterOf(row);
  if (quarter > row.quarter) {
    announce(fill(messages.nowSent, { name: row.name, percent: percentOf(quarter * 25) }));
  }
  row.quarter = quarter;
}

function stop(row) {
  if (row.sent === 0) {
    show(row, 'offered');
    return;
  }
  show(row, 'stopped');
  announce(fill(messages.nowStopped, { name: row.name, portion: portion(row) }));
}

/** Completes the session when nothing is in progress and every byte of the started files was sent. */
async function completeIfWhole({ session, whole }) {
  const busy = rows.some(({ state }) => state === 'sending');
  if (!whole || busy || session.completedAt !== null || completed === session.id) return;
  const body = JSON.stringify({ token: list.dataset.token, sessionId: session.id });
  try {
    const answer = await fetch(list.dataset.complete, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: true,
      signal: AbortSignal.timeout?.(HEARD_WITHIN_MS),
    });
    // A rejected request would be rejected again.
    if (isOurs(answer) && answer.status < 500) {
      completed = session.id;
      hasEnded = true;
    }
  } catch {
    // The next poll tries again.
  }
}

function show(row, state) {
  row.state = state;
  const { element } = row;
  const part = (name) => element.querySelector(`[data-part="${name}"]`);
  element.toggleAttribute('data-starting', state === 'sending' && row.sent === 0);
  element.removeAttribute('data-believed');
  part('button').hidden = state === 'sending' || state === 'whole';
  part('percent').hidden = state !== 'sending';
  part('sending').hidden = state !== 'sending';
  part('stopped').hidden = state !== 'stopped';
  part('whole').hidden = state !== 'whole';
  part('again').hidden = state !== 'whole';
  if (state === 'sending') {
    const percent = row.size === 0 ? 0 : Math.floor((row.sent / row.size) * 100);
    part('percent').textContent = percentOf(percent);
    part('bar').value = percent;
    part('sent').textContent =
      row.sent === 0 ? messages.starting : fill(messages.sent, { portion: portion(row) });
    part('left').textContent = isReached ? timeLeft(row) : messages.offline;
  }
  if (state === 'stopped') {
    part('how-far').textContent = fill(messages.howFar, { portion: portion(row) });
  }
}

function quarterOf({ sent, size }) {
  return size === 0 ? 0 : Math.floor((sent / size) * 4);
}

/** One answer may tell of several files: a screen reader says all of it, and not the last text alone. */
function announce(words) {
  if (unsaid.push(words) === 1)
    queueMicrotask(() => status.replaceChildren(unsaid.splice(0).filter(Boolean).join('. ')));
}

/** A message with its values. */
function fill(message, values) {
  return message.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function percentOf(n) {
  return fill(messages.percent, { n });
}

/** 1.3 of 3.1 GB; 412 MB of 3.1 GB. */
function portion({ sent, size }) {
  const part = scale(sent);
  const all = scale(size);
  const isSame = part.unit === all.unit;
  return fill(messages.portion, { sent: isSame ? part.number : part.whole, size: all.whole });
}

function scale(bytes) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];
  let value = bytes;
  let unit = 0;
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const format = new Intl.NumberFormat(document.documentElement.lang, {
    style: 'unit',
    unit: units[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 99.95 && unit > 0 ? 1 : 0,
  });
  const number = format
    .formatToParts(value)
    .filter(({ type }) => type !== 'unit' && type !== 'literal')
    .map((part) => part.value)
    .join('');
  return { number, unit: units[unit], whole: format.format(value) };
}

function timeLeft({ samples, size, sent }) {
  const [first] = samples;
  const elapsed = first ? Date.now() - first.at : 0;
  if (elapsed < 2000 || sent <= first.sent) return '';
  const seconds = ((size - sent) / (sent - first.sent)) * (elapsed / 1000);
  if (seconds < 50) {
    return fill(messages.seconds, { n: Math.max(5, Math.ceil(seconds / 10) * 10) });
  }
  if (seconds < 50 * 60) return fill(messages.minutes, { n: Math.ceil(seconds / 60) });
  return fill(messages.hours, { n: Math.ceil(seconds / 3600) });
}

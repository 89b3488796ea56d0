// Uploads the files that are chosen for a version, or dropped on it, in resumable pieces (https://tus.io),
// each with its own row. An interrupted upload resumes at its offset, also after a reload, when the same
// file is chosen again.
(() => {
  const PIECE_BYTES = 64 * 1024 * 1024;
  const RETRY_AFTER_MS = [500, 2000, 5000];
  const AT_ONCE = 3;
  const RATE_OVER_MS = 15_000;
  const { library } = document.currentScript.dataset;
  const loadTus = loadLibrary(library, () => window.tus, 'The connection broke.');
  const formToken = createFormToken();
  const onBeforeRequest = async (request) => request.setHeader('X-Form-Token', await formToken.take());
  const waiting = [];
  let running = 0;

  for (const element of document.querySelectorAll('[data-uploads]')) openUploads(element);

  function openUploads(element) {
    const card = element.closest('[data-version].card');
    const input = element.querySelector('input[type="file"]');
    const place = {
      element,
      card,
      list: element.querySelector('.upload-list'),
      say: element.querySelector('[data-say]'),
      input,
      rows: new Map(),
      ...element.dataset,
    };
    element.dataset.ready = '';
    input.multiple = true;
    input.required = false;
    input.addEventListener('change', () => {
      take(place, input.files);
      input.value = '';
    });
    const add = card.querySelector('[data-add-files]');
    add.hidden = false;
    add.addEventListener('click', () => input.click());
    acceptDrops(place);
    void showUnfinished(place);
  }

  function acceptDrops(place) {
    const { card } = place;
    let depth = 0;
    const mark = (change) => {
      depth = Math.max(0, depth + change);
      card.toggleAttribute('data-over', depth > 0);
    };
    card.addEventListener('dragenter', () => mark(1));
    card.addEventListener('dragleave', () => mark(-1));
    card.addEventListener('dragover', (event) => event.preventDefault());
    card.addEventListener('drop', (event) => {
      event.preventDefault();
      mark(-depth);
      take(place, event.dataTransfer.files);
    });
  }

  /** An earlier page left it unfinished; to resume, the user chooses its file again. */
  async function showUnfinished(place) {
    if (!Object.keys(localStorage).some((key) => key.startsWith('tus::'))) return;
    const tus = await loadTus();
    const storage = tus.defaultOptions.urlStorage;
    for (const former of await storage.findAllUploads()) {
      const { versionId, filename } = former.metadata;
      if (versionId !== place.version || place.rows.has(filename)) continue;
      const row = addRow(place, filename);
      row.forget.hidden = false;
      row.forget.addEventListener('click', async () => {
        await tus.Upload.terminate(former.uploadUrl, { onBeforeRequest }).catch(() => undefined);
        await storage.removeUpload(former.urlStorageKey);
        row.element.remove();
        place.rows.delete(filename);
        focusAdd(place);
      });
      show(row, 'stopped', 'Not complete. Pick the same file again to resume.', 'Pick it');
      row.act.onclick = () => place.input.click();
    }
  }

  function take(place, files) {
    for (const file of files) {
      const former = place.rows.get(file.name);
      if (['waiting', 'sending', 'paused'].includes(former?.state)) meetNamesake(former, file);
      else void begin(place, file, former);
    }
  }

  /** The file of a paused upload resumes it. Another file of that name has to wait. */
  function meetNamesake(row, { size, lastModified }) {
    const isSame = row.file.size === size && row.file.lastModified === lastModified;
    if (isSame && row.state === 'paused') enqueue(row);
    if (isSame || row.aside) return;
    row.aside = '. Choose the other file of this name again once this one is uploaded';
    row.note.textContent += row.aside;
    row.place.say.textContent = row.name + row.aside;
  }

  async function begin(place, file, former) {
    // What was uploaded stays until the other one with its name has replaced it.
    if (former?.state !== 'done') former?.element.remove();
    const row = addRow(place, file.name);
    const metadata = { productId: place.product, versionId: place.version, filename: file.name };
    Object.assign(row, { file, size: file.size, aside: '' });
    const tus = await loadTus().catch(() => null);
    if (tus === null) {
      show(row, 'stopped', 'The connection broke before anything was sent.', 'Pick it');
      row.act.onclick = () => place.input.click();
      return;
    }
    row.upload = new tus.Upload(file, {
      // Absolute, because the address of each upload is relative to it.
      endpoint: new URL(place.endpoint, location.href).href,
      onBeforeRequest,
      metadata,
      chunkSize: PIECE_BYTES,
      retryDelays: RETRY_AFTER_MS,
      removeFingerprintOnSuccess: true,
      fingerprint: async () => ['handover', place.version, file.name, file.size, file.lastModified].join('/'),
      onProgress: (sent) => moved(row, sent),
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0;
        // 408: the connection was silent for too long, for example while a computer slept.
        return status === 0 || status === 408 || status === 409 || status === 423 || status >= 500;
      },
      onError: (error) => failed(row, error),
      onSuccess: ({ lastResponse }) => finished(row, lastResponse),
    });
    show(row, 'waiting', `${inBytes(file.size)}, waits for the ones before`, null);
    const [interrupted] = await row.upload.findPreviousUploads();
    if (interrupted) row.upload.resumeFromPreviousUpload(interrupted);
    enqueue(row);
  }

  function enqueue(row) {
    if (!waiting.includes(row)) waiting.push(row);
    startNext();
  }

  function startNext() {
    while (running < AT_ONCE && waiting.length > 0) {
      const row = waiting.shift();
      running += 1;
      row.samples = [];
      show(row, 'sending', row.sent > 0 ? 'Resuming' : 'Starting', 'Pause');
      row.act.onclick = () => pause(row);
      row.upload.start();
    }
  }

  function leave() {
    running -= 1;
    startNext();
  }

  function pause(row) {
    row.upload.abort();
    show(row, 'paused', `Paused at ${percentOf(row)} %${row.aside}`, 'Resume');
    row.act.onclick = () => enqueue(row);
    leave();
  }

  function moved(row, sent) {
    if (row.state !== 'sending') return;
    const now = Date.now();
    row.sent = sent;
    row.samples = [...row.samples.filter(({ at }) => now - at < RATE_OVER_MS), { at: now, sent }];
    row.bar.value = percentOf(row);
    row.note.textContent = `${inBytes(sent, row.size)}${timeLeft(row)}${row.aside}`;
    const quarter = Math.floor((4 * sent) / (row.size || 1));
    if (quarter > row.quarter && quarter < 4)
      row.place.say.textContent = `${row.name}: ${quarter * 25} % sent`;
    row.quarter = Math.max(row.quarter, quarter);
  }

  function failed(row, error) {
    const response = error.originalResponse;
    const status = response?.getStatus() ?? 0;
    const words = sentenceOf(response);
    if (status === 401 || status === 403) formToken.forget();
    if (status >= 400 && status < 500 && words) {
      show(row, 'refused', words, 'Try again');
    } else {
      // A proxy answers with a page of its own, such as 413 where it takes no large bodies.
      const why = status === 0 ? 'the connection broke.' : `a proxy answered ${status}.`;
      show(row, 'stopped', `Stopped at ${percentOf(row)} %, ${words ?? why}`, 'Resume');
    }
    row.place.say.textContent = `${row.name}: ${row.note.textContent}`;
    row.act.onclick = () => enqueue(row);
    leave();
  }

  function finished(row, response) {
    const [, digest = ''] = /sha-256=:([^:]+):/.exec(response?.getHeader('Repr-Digest') ?? '') ?? [];
    const sha256 = [...atob(digest)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    for (const other of row.place.list.querySelectorAll('[data-state="done"]')) {
      if (other.querySelector('[data-name]').textContent === row.name) other.remove();
    }
    show(row, 'done', `${inBytes(row.size)} `, null);
    const hash = document.createElement('span');
    hash.className = 'mono';
    hash.title = sha256;
    hash.textContent = `sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`;
    if (sha256) row.note.append(hash);
    row.bar.remove();
    row.place.say.textContent = `${row.name} is uploaded`;
    leave();
  }

  function addRow(place, name) {
    const element = place.element.querySelector('template').content.firstElementChild.cloneNode(true);
    const find = (selector) => element.querySelector(selector);
    const row = { place, name, element, size: 0, sent: 0, quarter: 0, samples: [], state: 'waiting' };
    row.note = find('[data-note]');
    row.act = find('[data-act]');
    row.forget = find('[data-forget]');
    row.bar = find('progress');
    row.bar.setAttribute('aria-label', `Sent of ${name}`);
    row.forget.setAttribute('aria-label', `Forget it: ${name}`);
    find('bdi').textContent = name;
    place.rows.set(name, row);
    place.list.append(element);
    return row;
  }

  /** The button that had the focus goes. */
  function focusAdd({ card }) {
    card.querySelector('[data-add-files]').focus();
  }

  function show(row, state, words, act) {
    row.state = state;
    row.element.dataset.state = state;
    row.note.textContent = words;
    if (act === null && document.activeElement === row.act) focusAdd(row.place);
    row.act.hidden = act === null;
    row.act.textContent = act ?? '';
    if (act) row.act.setAttribute('aria-label', `${act}: ${row.name}`);
    if (state === 'sending') row.forget.hidden = true;
    showCard(row.place);
  }

  /** A version goes live with its files, so not during an upload. */
  function showCard({ card, list, rows }) {
    const isBusy = [...rows.values()].some(({ state }) => state === 'waiting' || state === 'sending');
    card.querySelector('[data-uploading]').hidden = !isBusy;
    const isEmpty = list.querySelector('[data-state="done"]') === null;
    for (const button of card.querySelectorAll('[data-make-live] button[type="submit"]'))
      button.disabled = isBusy || isEmpty;
  }

  /** The server's message, if it sent one. */
  function sentenceOf(response) {
    try {
      return JSON.parse(response?.getBody() ?? '').error ?? null;
    } catch {
      return null;
    }
  }

  function percentOf({ sent, size }) {
    return size === 0 ? 0 : Math.floor((100 * sent) / size);
  }

  function timeLeft({ samples, sent, size }) {
    const [first] = samples;
    const seconds = (samples.at(-1).at - first.at) / 1000;
    const rate = (sent - first.sent) / seconds;
    if (seconds < 1 || !(rate > 0)) return '';
    const left = (size - sent) / rate;
    if (left < 60) return `, about ${Math.max(1, Math.ceil(left / 5) * 5)} s left`;
    if (left < 3600) return `, about ${Math.round(left / 60)} min left`;
    return `, about ${Math.round(left / 3600)} h left`;
  }

  /** "6.4 MB"; with a total, "2.1 of 4.0 GB". */
  function inBytes(bytes, whole = null) {
    const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
    const scale = Math.min(
      units.length - 1,
      Math.max(0, Math.floor(Math.log10(Math.max(1, whole ?? bytes)) / 3)),
    );
    const number = (value) => (value / 1000 ** scale).toFixed(scale === 0 ? 0 : 1);
    return `${number(bytes)}${whole === null ? '' : ` of ${number(whole)}`} ${units[scale]}`;
  }
})();

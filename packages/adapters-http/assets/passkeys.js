// Passkeys, where the browser has them. Without a script a mailed link does the same.
{
  const { dataset } = document.currentScript;
  // A host may mount the site below a prefix, of which the server's paths know nothing.
  const prefix = dataset.dashboard.slice(0, -'/dashboard'.length);
  const token = document.querySelector('meta[name="form-token"]')?.content ?? '';
  const isKnown = Boolean(window.PublicKeyCredential);
  for (const part of document.querySelectorAll('[data-passkey]')) part.hidden = !isKnown;

  const loadPasskeys = loadLibrary(
    dataset.library,
    () => window.SimpleWebAuthnBrowser,
    'The script could not be loaded. Load this page again.',
  );

  const post = async (path, fields) => {
    const answer = await fetch(dataset.dashboard + path, {
      method: 'POST',
      headers: { 'x-form-token': token },
      body: new URLSearchParams(fields),
    }).catch(() => null);
    if (!answer?.headers.get('content-type')?.startsWith('application/json')) {
      if (![401, 403, 409].includes(answer?.status))
        throw new Error('The server did not answer. Try again in a minute.');
      // The sign-in is too old, or over: a page asks for it.
      const to = location.pathname.slice(prefix.length);
      location.assign(`${dataset.dashboard}/confirm?${new URLSearchParams({ to })}`);
      return new Promise(() => {});
    }
    const value = await answer.json();
    if (!answer.ok) throw new Error(value.error);
    return value;
  };

  const acts = {
    async add(form) {
      const { startRegistration } = await loadPasskeys();
      const optionsJSON = await post('/passkeys/options', {});
      const response = JSON.stringify(await startRegistration({ optionsJSON }));
      return post('/passkeys', { name: form.elements.name.value, response });
    },
    async use(form) {
      const { startAuthentication } = await loadPasskeys();
      const optionsJSON = await post('/passkeys/sign-in/options', {});
      const response = JSON.stringify(await startAuthentication({ optionsJSON }));
      return post('/passkeys/sign-in', { response, to: form.dataset.to ?? '' });
    },
  };

  const underWay = new Set();
  // The browser may show this page again as it was left.
  window.addEventListener('pageshow', () => underWay.clear());
  document.addEventListener('submit', async (event) => {
    const form = event.target.closest('form[data-passkey]');
    if (!form) return;
    event.preventDefault();
    const problem = form.querySelector('[data-problem]');
    const button = form.querySelector('button');
    // Styles stop a second click, but not the keyboard.
    if (underWay.has(form)) return;
    underWay.add(form);
    problem.hidden = true;
    button.setAttribute('aria-busy', 'true');
    try {
      const { to } = await acts[form.dataset.passkey](form);
      location.assign(prefix + to);
    } catch (error) {
      const isCancelled = error.name === 'NotAllowedError' || error.name === 'AbortError';
      problem.querySelector('span').textContent = isCancelled
        ? 'Nothing was done: the browser’s question was cancelled, or there is no passkey for this site.'
        : error.message;
      problem.hidden = false;
      underWay.delete(form);
      button.removeAttribute('aria-busy');
    }
  });
}

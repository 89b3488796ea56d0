// One button presses the buttons of all files of a list, one after another. Without this script it stays hidden.

/** Browsers drop a download that begins while they are still asking for the one before. */
const BETWEEN_MS = 800;

/** How long the next one waits for the first byte of the one before, and how often it looks. */
const BEGINS_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** How long a press waits to hear which downloads move, before it leaves alone those that may. */
const KNOWN_WITHIN_MS = 6000;

/** How long a link may take to answer whether it works, before its download begins anyway. */
const ANSWER_MS = 5000;

for (const offer of document.querySelectorAll('[data-all]')) {
  const links = [...offer.nextElementSibling.querySelectorAll('a.button')];
  const button = offer.querySelector('button');
  const status = offer.querySelector('[role=status]');
  const ask = status.firstElementChild;
  offer.hidden = false;
  button.addEventListener('click', async () => {
    if (button.hasAttribute('aria-disabled')) return;
    ask.hidden = false;
    status.replaceChildren(ask);
    // A button that is disabled outright would lose the focus.
    button.setAttribute('aria-disabled', 'true');
    await downloadAll(links, (n, count) => tellBegun(status, n, count)).finally(() =>
      button.removeAttribute('aria-disabled'),
    );
  });
}

async function downloadAll(links, tell) {
  // Whether a download from before this page loaded is still moving takes seconds to see: one that is not is wanted, too.
  await waitUntil(() => !links.some((link) => link.closest('[data-believed]')), KNOWN_WITHIN_MS);
  // While one is under way, a second press is impatience: what was sent whole is wanted again only once all of them were.
  const wanted = links.every(wasSentWhole) ? wasSentWhole : isOffered;
  const chosen = links.filter(wanted);
  const workingPages = new Map();
  let begun = 0;
  for (const link of chosen) {
    // Files of one purchase have one download link.
    const page = link.pathname.split('/files/')[0];
    if (!workingPages.has(page)) workingPages.set(page, await works(link));
    // The buyer may have pressed it meanwhile.
    if (!wanted(link)) continue;
    // A link that has ended leads to a page that says so. The browser would save that page as the file.
    if (!workingPages.get(page)) {
      if (link === chosen[0]) {
        link.click();
        return;
      }
      continue;
    }
    // Without it, the next download would end this one's request.
    link.download = '';
    link.click();
    link.removeAttribute('download');
    begun += 1;
    // The browser asks for permission with the second: until then, the words about that stay.
    if (begun > 1) tell(begun, chosen.length);
    await pause(BETWEEN_MS);
    // A row ceases to start when bytes were sent, or when it was given up.
    await waitUntil(() => !link.closest('[data-starting]'), BEGINS_WITHIN_MS);
  }
  // The others led to no file any more.
  if (begun === 1) tell(begun, chosen.length);
}

/** Where no file shows how far it is. */
function tellBegun(status, n, count) {
  const words = status.dataset.begun;
  if (words) status.textContent = words.replace('{n}', n).replace('{count}', count);
}

async function waitUntil(isSo, mostMs) {
  const until = Date.now() + mostMs;
  while (!isSo() && Date.now() < until) await pause(LOOK_EVERY_MS);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The button of a file that is under way or was sent whole is hidden. */
function isOffered(link) {
  return !link.hidden;
}

function wasSentWhole(link) {
  return link.parentElement.querySelector('[data-part=whole]')?.hidden === false;
}

async function works(link) {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    return (await fetch(link.href, { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    // Without a connection, or an answer in time, this page stays, and the browser's list of downloads says what failed.
    return true;
  }
}

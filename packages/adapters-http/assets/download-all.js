// One button presses the buttons of all files of a list, one after another. Without this script it stays hidden.

/** Browsers drop a download that begins while they are still asking for the one before. */
const BETWEEN_MS = 800;

for (const offer of document.querySelectorAll('[data-all]')) {
  const links = offer.nextElementSibling.querySelectorAll('a.button');
  offer.hidden = false;
  offer.querySelector('button').addEventListener('click', () => {
    offer.querySelector('[role=status] span').hidden = false;
    void downloadAll(links);
  });
}

async function downloadAll(links) {
  // The button of a file that is under way or was sent whole is hidden. If all are, they are sent again.
  const offered = [...links].filter((link) => !link.hidden);
  for (const link of offered.length > 0 ? offered : links) {
    // Without it, the next download would end this one's request.
    link.download = '';
    link.click();
    link.removeAttribute('download');
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}

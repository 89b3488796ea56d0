// A second press while a form is on its way would send it twice, and mail two links. Pages work without this script.

/** After that, a press that came to nothing can be repeated. */
const ON_ITS_WAY_MS = 10_000;

for (const form of document.querySelectorAll('form')) {
  let sentAt = Number.NEGATIVE_INFINITY;
  const forget = () => {
    sentAt = Number.NEGATIVE_INFINITY;
  };
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sentAt < ON_ITS_WAY_MS) event.preventDefault();
    else sentAt = event.timeStamp;
  });
  // Another address is another form.
  form.addEventListener('input', forget);
  // The browser may show the page again as it was left.
  addEventListener('pageshow', forget);
}

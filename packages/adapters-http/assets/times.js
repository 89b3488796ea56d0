// Shows each time as the reader's own clock does, so without a zone. The page says it in UTC, and works without this script.

const timeFormat = new Intl.DateTimeFormat(document.documentElement.lang, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

const dayFormat = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long' });

for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  time.textContent = time.hasAttribute('data-day')
    ? dayFormat.format(at)
    : writeMoment(timeFormat.formatToParts(at));
}

/** The browser leaves out the German “Uhr” and the Spanish “a las”, and sets other commas than a sentence needs. */
function writeMoment(parts) {
  const { lang } = document.documentElement;
  const write = ({ type, value }, at) => {
    const next = parts[at + 1];
    if (type !== 'literal' || next === undefined) return value;
    if (lang === 'de' && next.type === 'hour') return ', ';
    if (lang === 'es' && next.type === 'day') return ' ';
    if (lang === 'es' && next.type === 'hour') return Number(next.value) === 1 ? ' a la ' : ' a las ';
    // “À zero hora”, but “a las cero horas”.
    if (lang === 'pt-BR' && next.type === 'hour') return Number(next.value) <= 1 ? ', à ' : ', às ';
    return value;
  };
  const words = parts.map(write).join('') + (lang === 'de' ? ' Uhr' : '');
  // A line must not end between the day and its month.
  return words.replace(/(\d\.?) (?=\p{L})/u, '$1\u00a0');
}

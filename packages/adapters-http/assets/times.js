// Shows each time in the reader's own zone. The page says it in UTC, and works without this script.

const timeFormat = new Intl.DateTimeFormat(document.documentElement.lang, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

for (const time of document.querySelectorAll('time[datetime]')) {
  time.textContent = timeFormat.format(new Date(time.dateTime));
}

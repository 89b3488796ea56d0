const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** A file size for people: 3.1 GB, 412 MB, 1 byte. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1000;
  let unit = 0;
  // Compares the rounded value: 999.96 kB is 1 MB, not 1000 kB.
  while (Number(inFewDigits(value)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${inFewDigits(value)} ${UNITS[unit]}`;
}

function inFewDigits(value: number): string {
  return value < 100 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A duration: after “another” (48 hours, hour, 20 minutes), or after “in”, where a single unit has its
 * number too (1 hour).
 */
export function formatDuration(milliseconds: number, after: 'another' | 'in' = 'another'): string {
  const one = after === 'in' ? '1 ' : '';
  const hours = Math.round(milliseconds / HOUR_MS);
  if (milliseconds >= HOUR_MS) return hours === 1 ? `${one}hour` : `${hours} hours`;
  const minutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
  return minutes === 1 ? `${one}minute` : `${minutes} minutes`;
}

const CLOCK_TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `14:02 UTC`. */
export function formatClockTime(time: Date): string {
  return `${CLOCK_TIME.format(time)} UTC`;
}

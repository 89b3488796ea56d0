// Loaded before a program under test (`node --import`): it shifts the program's wall clock by as many milliseconds as
// its parent says, at once or later, as if the machine's clock were set. The database's clock stays right.
const RealDate = Date;
let ahead = Number(process.env.CHAOS_CLOCK_AHEAD_MS ?? 0);

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'clockAheadMs' in message)
    ahead = Number(message.clockAheadMs);
});
// Without its parent, nothing would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The channel to the parent must not keep the program running.
process.channel?.unref();

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...words) {
    if (words.length === 0) super(RealDate.now() + ahead);
    else super(...words);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};

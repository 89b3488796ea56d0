// Loaded before a program under test (`node --import`): it makes the program's wall clock wrong by as many milliseconds as
// its parent says, at once or later, as a machine's clock is when somebody sets it. The database's clock stays right.
const RealDate = Date;
let ahead = Number(process.env.CHAOS_CLOCK_AHEAD_MS ?? 0);

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'clockAheadMs' in message)
    ahead = Number(message.clockAheadMs);
});
// Without its parent nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// The channel to the parent must not keep the program from ending.
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

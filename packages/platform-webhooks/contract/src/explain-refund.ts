/** What the log and a purchase say of a refund. `event`: as its platform calls it. */
export function explainRefund(event: string): string {
  return `The shop gave money back for the order (${event}).`;
}

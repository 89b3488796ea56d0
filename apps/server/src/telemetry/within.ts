/** What the work resolves with; null if it takes longer or fails. */
export function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, null);
    void work.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}

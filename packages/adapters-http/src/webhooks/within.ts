/** Waits for the work no longer than that. It goes on all the same. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, null);
    void work.then(resolve).finally(() => clearTimeout(timer));
  });
}

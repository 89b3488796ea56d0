/** `broken`: the tests could not check, because they did not load or none of them has such a name. */
export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly by: string }
  | { readonly kind: 'broken'; readonly why: string };

/** What a run says of the code that it ran on. */
export function evaluateRun(
  results: readonly { readonly name: string; readonly state: string }[],
  errors: readonly string[],
): Verdict {
  const failed = results.find(({ state }) => state === 'failed');
  if (failed) return { kind: 'failed', by: failed.name };
  const [error] = errors;
  if (error !== undefined) return { kind: 'broken', why: error };
  return results.some(({ state }) => state === 'passed')
    ? { kind: 'passed' }
    : { kind: 'broken', why: 'No test has such a name.' };
}

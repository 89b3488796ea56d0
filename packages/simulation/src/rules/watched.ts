/** Rules that are checked as events happen, not after each step. The value says what they check. */
export const WATCHED_RULES = {
  'a plan is what its facts ask for': 'at each commit of a plan',
  'the status of an entry is what its lines and receipts say': 'at each commit of a plan',
  'an order that one process cannot read is not given up for a day': 'at each try to read one in vain',
  'a revoked link serves nothing': 'at each answer to a buyer',
  'the metrics of the overview equal a count from scratch': 'after each step that changed a row',
  'nothing crosses organisations': 'at each call for an organisation',
  'an API key that was replaced or revoked, or whose member was removed, serves nothing':
    'at each call of the API',
  'a session that has ended serves nothing': 'at each page',
  'a sign-in link signs in once, and not once it has expired or was withdrawn': 'at each use of one',
  'an invitation is accepted once, by whom it is for': 'at each acceptance',
} as const;

export type WatchedRule = keyof typeof WATCHED_RULES;

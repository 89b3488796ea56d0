import { type Html, html } from '@handover/html';

/** A fact of the thing that a page shows. */
export interface Fact {
  readonly term: string;
  readonly description: Html | string;
  /** A class of the description. */
  readonly look?: 'address' | 'mono' | 'small';
}

/** The facts beside the main part of a page; null is left out. `below`: a note on them. */
export function factsCard(facts: readonly (Fact | null)[], below?: Html): Html {
  return html`<aside class="card" aria-label="Facts"><dl class="facts">${facts.map(row)}</dl>${below}</aside>`;
}

function row(fact: Fact | null): Html | null {
  if (fact === null) return null;
  const { term, description, look } = fact;
  return html`<div><dt>${term}</dt><dd${look && html` class="${look}"`}>${description}</dd></div>`;
}

import { type Html, type HtmlValue, html } from '@handover/html';
import type { Tone } from './badge.ts';
import { elapsedTime } from './time.ts';

export interface TimelineEvent {
  readonly icon: Html;
  readonly title: string;
  /** One line of evidence, or what the step waits for. */
  readonly evidence: HtmlValue;
  /** Null: in the future. */
  readonly at: Date | null;
  /** Amber only for trouble, blue for work in progress, green only for the final success. */
  readonly tone?: Tone;
}

/** Events in order: the first with its time of day, later ones with the time since the first. */
export function timeline(events: readonly TimelineEvent[]): Html {
  const start = events.find(({ at }) => at !== null)?.at ?? null;
  return html`<ol class="timeline">${events.map((event) => timelineEvent(event, start))}</ol>`;
}

function timelineEvent(
  { icon, title, evidence, at, tone = 'quiet' }: TimelineEvent,
  start: Date | null,
): Html {
  return html`<li ${at === null ? 'data-waits' : ''}><span class="node" data-tone="${tone}">${icon}</span><h3>${title}</h3>${at && start ? eventTime(at, start) : html`<span></span>`}<p>${evidence}</p></li>`;
}

function eventTime(at: Date, start: Date): Html {
  if (at !== start) return elapsedTime(at, start);
  return html`<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 23)}</time>`;
}

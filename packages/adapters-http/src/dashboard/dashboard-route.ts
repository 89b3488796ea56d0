import type { Readable } from 'node:stream';
import type { Clock } from '@handover/domain';
import type { Html } from '@handover/html';
import {
  type Access,
  admit,
  type ContextOf,
  type MemberContext,
  type Refused,
  type UserContext,
} from '../auth/access.ts';
import type { Session } from '../auth/sessions.ts';
import type { UploadError } from '../requests/receive-file.ts';
import type { LogFacts } from '../requests/request-log.ts';
import type { Toast } from './parts/toast.ts';
import type { UploadedFile } from './upload-form.ts';

/** One page or action of the dashboard. Made by `page` and `action`, admitted and answered in dashboard-routes.ts. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Below /dashboard. */
  readonly path: string;
  readonly access: Access;
  /** Its form may bring a file. */
  readonly takesFile?: boolean;
  /** Checks who asks, and says how they are answered. */
  readonly admit: (
    session: Session | null,
    ports: { readonly clock: Clock },
  ) =>
    | {
        readonly kind: 'admitted';
        readonly answer: (details: RequestDetails, posted: Posted) => Promise<Answer>;
      }
    | Refused;
}

/** What a page or action knows of its request, whoever asks. */
export interface RequestDetails {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly now: Date;
  /** Where the request came from, for limits: see `networkOf`. */
  readonly network: string;
  /** The browser and, coarsely, the network: as much as the activity log keeps of a sign-in. */
  readonly client: string;
  /** Adds to the line that the request leaves in the structured log. */
  readonly addLogContext: (facts: LogFacts) => void;
}

/** What a form brought. An error says why the form cannot be read. */
export interface Posted {
  readonly form: URLSearchParams;
  readonly file: UploadedFile | UploadError | null;
}

export interface UserRequest extends RequestDetails, UserContext {}

/** What a page or action knows of who is there. */
export interface DashboardRequest extends RequestDetails, MemberContext {}

export type Answer =
  /** A page within the frame of the dashboard. */
  | { readonly kind: 'page'; readonly title: string; readonly main: Html; readonly status?: number }
  /** A page of its own, for whoever is not signed in. */
  | { readonly kind: 'alone'; readonly title: string; readonly main: Html; readonly status?: number }
  /** After an action: where its result is seen, and what to say of it there. */
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly toast?: Toast;
      readonly session?: SessionChange;
    }
  /** To be kept, not shown. */
  | { readonly kind: 'file'; readonly name: string; readonly contentType: string; readonly content: Readable }
  /** Part of a page, for a script that asks again and again. Null: nothing has changed. */
  | { readonly kind: 'fragment'; readonly main: Html | null }
  /** A whole document, as somebody else will see it. */
  | { readonly kind: 'document'; readonly document: Html }
  | { readonly kind: 'not-found' };

/** The session of the browser begins, by its token, or ends. */
export type SessionChange = { readonly begins: string } | 'ends';

/** A page. What it shows follows from the address alone, and looking changes nothing. */
export function page<Required extends Access>(
  path: string,
  access: Required,
  answer: (context: RequestDetails & ContextOf[Required]) => Promise<Answer>,
): DashboardRoute {
  return { method: 'GET', path, access, admit: admitAs(access, answer) };
}

/**
 * An action, posted by a form. A form of another site never gets here, nor does one without the token of this session,
 * except to what `anyone` may do. Ends in a redirect, or in the form again with what is wrong.
 */
export function action<Required extends Access>(
  path: string,
  access: Required,
  answer: (context: RequestDetails & ContextOf[Required], form: URLSearchParams) => Promise<Answer>,
): DashboardRoute {
  const admit = admitAs(access, (context, { form }) => answer(context, form));
  return { method: 'POST', path, access, admit };
}

/** As `action`, for a form that brings a file. The file comes last in its form, after the token. */
export function upload<Required extends 'member' | 'admin'>(
  path: string,
  access: Required,
  answer: (context: RequestDetails & ContextOf[Required], file: Posted['file']) => Promise<Answer>,
): DashboardRoute {
  const admit = admitAs(access, (context, { file }) => answer(context, file));
  return { method: 'POST', path, access, takesFile: true, admit };
}

function admitAs<Required extends Access>(
  access: Required,
  answer: (context: RequestDetails & ContextOf[Required], posted: Posted) => Promise<Answer>,
): DashboardRoute['admit'] {
  return (session, ports) => {
    const admission = admit(access, session, ports);
    if (admission.kind !== 'admitted') return admission;
    const { context } = admission;
    return { kind: 'admitted', answer: (details, posted) => answer({ ...details, ...context }, posted) };
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly dashboard?: Pick<DashboardRoute, 'access'>;
  }
}

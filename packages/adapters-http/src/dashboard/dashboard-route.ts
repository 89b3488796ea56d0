import type { Readable } from 'node:stream';
import type { ActivityOrigin, Role, SignedIn } from '@handover/domain';
import type { UploadError } from '../requests/receive-file.ts';
import type { LogFacts } from '../requests/request-log.ts';
import type { Toast } from './parts/toast.ts';
import type { UploadedFile } from './upload-form.ts';

/**
 * Who may come in. `anyone`: without a session. `signed-in`: any user, also one without an organisation or whose
 * subscription has expired. `member` and `admin`: as `authorise` of the domain has it.
 */
export type DashboardAccess = 'anyone' | 'signed-in' | 'member' | 'admin';

/** One page or action of the dashboard. Made by `page` and `action`, admitted and answered in dashboard-routes.ts. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Below /dashboard. */
  readonly path: string;
  readonly access: DashboardAccess;
  /** Its form may bring a file. */
  readonly takesFile?: boolean;
  readonly answer: (context: never, form: URLSearchParams) => Promise<Answer>;
}

interface AnyDashboardRequest {
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

/** What is known of a user, who may belong to no organisation. */
export interface UserRequest extends AnyDashboardRequest {
  readonly user: SignedIn;
  /** Who acts and how, for the activity log. */
  readonly by: ActivityOrigin;
  readonly sessionToken: string;
  /** For the forms of the page. */
  readonly csrfToken: string;
}

/** What a page or action knows of who is there. Every question to a store begins with `orgId`. */
export interface DashboardRequest extends UserRequest {
  readonly orgId: string;
  readonly role: Role;
}

interface DashboardRequestOf {
  readonly anyone: AnyDashboardRequest & { readonly user: SignedIn | null };
  readonly 'signed-in': UserRequest;
  readonly member: DashboardRequest;
  readonly admin: DashboardRequest;
}

export type Answer =
  /** A page within the frame of the dashboard. `main` is HTML. */
  | { readonly kind: 'page'; readonly title: string; readonly main: string; readonly status?: number }
  /** A page of its own, for whoever is not signed in. */
  | { readonly kind: 'alone'; readonly title: string; readonly main: string; readonly status?: number }
  /** After an action: where its result is seen, and what to say of it there. */
  | { readonly kind: 'redirect'; readonly to: string; readonly toast?: Toast; readonly cookie?: string }
  /** To be kept, not shown. */
  | { readonly kind: 'file'; readonly name: string; readonly contentType: string; readonly content: Readable }
  /** Part of a page, for a script that asks again and again. Null: nothing has changed. */
  | { readonly kind: 'fragment'; readonly main: string | null }
  /** A whole document, as somebody else will see it. */
  | { readonly kind: 'document'; readonly document: string }
  | { readonly kind: 'not-found' };

/** A page. What it shows follows from the address alone, and looking changes nothing. */
export function page<Access extends DashboardAccess>(
  path: string,
  access: Access,
  answer: (context: DashboardRequestOf[Access]) => Promise<Answer>,
): DashboardRoute {
  return { method: 'GET', path, access, answer };
}

/**
 * An action, posted by a form. A form of another site never gets here, nor does one without the token of this session,
 * except to what `anyone` may do. Ends in a redirect, or in the form again with what is wrong.
 */
export function action<Access extends DashboardAccess>(
  path: string,
  access: Access,
  answer: (context: DashboardRequestOf[Access], form: URLSearchParams) => Promise<Answer>,
): DashboardRoute {
  return { method: 'POST', path, access, answer };
}

/**
 * As `action`, for a form that brings a file. The file comes last in its form, after the token. An error says why the form
 * cannot be read.
 */
export function upload<Access extends 'member' | 'admin'>(
  path: string,
  access: Access,
  answer: (context: DashboardRequestOf[Access], file: UploadedFile | UploadError | null) => Promise<Answer>,
): DashboardRoute {
  return {
    method: 'POST',
    path,
    access,
    takesFile: true,
    answer: (context: DashboardRequestOf[Access] & { readonly file: UploadedFile | UploadError | null }) =>
      answer(context, context.file),
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly dashboard?: Pick<DashboardRoute, 'access'>;
  }
}

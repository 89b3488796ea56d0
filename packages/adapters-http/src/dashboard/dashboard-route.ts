import type { Readable } from 'node:stream';
import type { AuditScope, Clock, Platforms } from '@handover/domain';
import type { Html } from '@handover/html';
import {
  type Access,
  admit,
  type ContextOf,
  type MemberContext,
  type PublicContext,
  type Refused,
  type UserContext,
} from '../auth/access.ts';
import type { Session } from '../auth/sessions.ts';
import type { UploadError } from '../requests/receive-file.ts';
import type { LogFacts } from '../requests/request-log.ts';
import type { Toast } from './parts/toast.ts';
import type { UploadedFile } from './upload-form.ts';

/**
 * A page or action of the dashboard, made by `page` or `action`. dashboard-routes.ts checks access and
 * sends the answer.
 */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST';
  /** Relative to /dashboard. */
  readonly path: string;
  readonly access: Access;
  /** Whether its form can contain a file. */
  readonly takesFile?: boolean;
  /** Whether the sign-in must be fresh: see `isFresh`. */
  readonly needsFreshSignIn?: boolean;
  /** Checks access and returns the handler. */
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

/** The names of the parameters in a path: `productId` in `/products/:productId`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The details of a request, for any requester. `Param`: the parameters of its path. */
export interface RequestDetails<Param extends string = string> {
  readonly params: Readonly<Record<Param, string>>;
  readonly query: URLSearchParams;
  readonly now: Date;
  /** A HEAD request, as mail scanners send: it changes nothing. */
  readonly isHead: boolean;
  readonly platforms: Platforms;
  /** Whether the requester's spreadsheets are likely to: see `hasDecimalComma`. */
  readonly expectsSemicolons: boolean;
  /** The requester's network, for rate limits: see `networkOf`. */
  readonly network: string;
  /** The browser and the coarse network, as the activity log stores them for a sign-in. */
  readonly client: string;
  /** The token by which the browser is known from earlier sign-ins. */
  readonly deviceToken: string | null;
  /** Adds to the request's line in the structured log. */
  readonly addLogContext: (facts: LogFacts) => void;
  /** Does work once the answer is sent, so that its duration tells nothing: see `createUnansweredWork`. */
  readonly continueUnanswered: (work: () => Promise<LogFacts>) => void;
  /** Whether the session still admits: asked before a file is kept that took long to send. */
  readonly isStillAdmitted: () => Promise<boolean>;
}

/** A submitted form. An error says why the form cannot be read. */
export interface Posted {
  readonly form: URLSearchParams;
  readonly file: UploadedFile | UploadError | null;
}

export interface UserRequest extends RequestDetails<never>, UserContext {}

/** A request by anyone, signed in or not. `Param`: the parameters of the path that are needed. */
export interface PublicRequest<Param extends string = never> extends RequestDetails<Param>, PublicContext {}

/** Whose log names a sign-in or the end of a session: such entries name the device as well. */
export function withDevice({ orgId, by, client }: UserRequest): AuditScope {
  return { orgId, by: { ...by, viaDetail: client } };
}

/** A request by a member of an organisation. `Param`: the parameters of the path that are needed. */
export interface DashboardRequest<Param extends string = never>
  extends RequestDetails<Param>,
    MemberContext {}

export type Answer =
  /** A page within the dashboard's frame. */
  | {
      readonly kind: 'page';
      /** Short: phones show it in their bar. */
      readonly title: string;
      /** The title of the window, where `title` alone is that of other pages too. */
      readonly windowTitle?: string;
      readonly main: Html;
      readonly status?: number;
      /** Whether it frames a document of ours. */
      readonly frames?: 'own';
    }
  /** A page without the frame, for requesters who are not signed in. */
  | { readonly kind: 'alone'; readonly title: string; readonly main: Html; readonly status?: number }
  /** After an action: the page that shows its result, and a toast. */
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly toast?: Toast;
      readonly session?: SessionChange;
      /** A token that the browser keeps, so that its next sign-in is not reported as one by a new browser. */
      readonly deviceToken?: string;
    }
  /** A file to download. */
  | { readonly kind: 'file'; readonly name: string; readonly contentType: string; readonly content: Readable }
  /** For a script of ours. */
  | {
      readonly kind: 'json';
      readonly value: object;
      readonly status?: number;
      readonly session?: SessionChange;
      readonly deviceToken?: string;
    }
  /** A fragment for a polling script. Null: nothing has changed. */
  | { readonly kind: 'fragment'; readonly main: Html | null }
  /** A complete document, as other people will see it. */
  | { readonly kind: 'document'; readonly document: Html }
  /** The HTML of a mail, for the frame in a page. Without scripts, and without links to follow. */
  | { readonly kind: 'framed-mail'; readonly html: string }
  | { readonly kind: 'not-found' };

/** What `sendAnswer` sends. For `not-found`, that is the page that says so. */
export type SentAnswer = Exclude<Answer, { readonly kind: 'not-found' }>;

/** The browser's session begins, with its token, or ends. */
export type SessionChange = { readonly begins: string } | 'ends';

/** What the answer of a route gets: the parameters that its path names, and what its access says of the requester. */
type Context<Path extends string, Required extends Access> = RequestDetails<ParamsOf<Path>> &
  ContextOf[Required];

/** A page. Its address alone determines its content, and a GET changes nothing. */
export function page<Path extends string, Required extends Access>(
  path: Path,
  access: Required,
  answer: (context: Context<Path, Required>) => Promise<Answer>,
): DashboardRoute {
  return { method: 'GET', path, access, admit: admitAs(path, access, answer) };
}

/**
 * An action, posted by a form. A form of another site, or without the session's CSRF token, is rejected,
 * except for actions that `anyone` may run. Ends in a redirect, or in the form with its problems.
 */
export function action<Path extends string, Required extends Access>(
  path: Path,
  access: Required,
  answer: (context: Context<Path, Required>, form: URLSearchParams) => Promise<Answer>,
  options: Pick<DashboardRoute, 'needsFreshSignIn'> = {},
): DashboardRoute {
  const admit = admitAs(path, access, (context: Context<Path, Required>, { form }) => answer(context, form));
  return { method: 'POST', path, access, admit, ...options };
}

/** Like `action`, for a form with a file. The file is the form's last field, after the token. */
export function upload<Path extends string, Required extends 'member' | 'admin'>(
  path: Path,
  access: Required,
  answer: (context: Context<Path, Required>, file: Posted['file']) => Promise<Answer>,
): DashboardRoute {
  const admit = admitAs(path, access, (context: Context<Path, Required>, { file }) => answer(context, file));
  return { method: 'POST', path, access, takesFile: true, admit };
}

function admitAs<Path extends string, Required extends Access>(
  path: Path,
  access: Required,
  answer: (context: Context<Path, Required>, posted: Posted) => Promise<Answer>,
): DashboardRoute['admit'] {
  return (session, ports) => {
    const admission = admit(access, session, ports);
    if (admission.kind !== 'admitted') return admission;
    const { context } = admission;
    return {
      kind: 'admitted',
      answer: async (details, posted) =>
        isOfPath(details, path) ? answer({ ...details, ...context }, posted) : { kind: 'not-found' },
    };
  };
}

/** Whether a request has the parameters of a path. The router matched it, so it has them. */
function isOfPath<Path extends string>(
  details: RequestDetails,
  path: Path,
): details is RequestDetails<ParamsOf<Path>> {
  return [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => name in details.params);
}

/** Whether a later look at the session still admits to the route, and to the same organisation. */
export function isAdmittedAgain(
  route: Pick<DashboardRoute, 'admit'>,
  before: Session | null,
  now: Session | null,
  ports: { readonly clock: Clock },
): boolean {
  const isSame = now?.user.membership?.orgId === before?.user.membership?.orgId;
  return isSame && route.admit(now, ports).kind === 'admitted';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly dashboard?: Pick<DashboardRoute, 'access'>;
  }
}

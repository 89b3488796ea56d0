import type { ApiScope } from '@handover/domain';
import type { TObject, TSchema } from 'typebox';
import type { TagName } from './tags.ts';

/** What the OpenAPI document says about a route beyond its schemas: see `documented`. */
export type OperationDocs = OperationParts & Admission;

/**
 * Required access: an API key of any role, one of an owner or admin, a signature, or none. With a key, the scope that
 * the key must have.
 */
type Admission =
  | { readonly access: 'any role' | 'owner or admin'; readonly scope: ApiScope }
  | { readonly access: 'signature' | 'open'; readonly scope?: never };

interface OperationParts {
  /** Unique; client generators derive function names from it. */
  readonly operationId: string;
  readonly summary: string;
  /** Markdown, as in OpenAPI: we use only plain paragraphs and `code`. */
  readonly description: string;
  readonly tag: TagName;
  /** Whether the interface specification requires it, or we added it. */
  readonly origin: 'specification' | 'addition';
  /** Headers that no schema validates. */
  readonly headers?: TObject;
  readonly query?: TObject;
  readonly params?: TObject;
  /** For bodies that are not JSON. */
  readonly body?: BodyDocs;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseDocs>>;
  /** A shell command, where none can be derived from parameters and body. */
  readonly sample?: string;
}

export interface BodyDocs {
  readonly description: string;
  readonly contentTypes: readonly [string, ...string[]];
  /** Left out where the route's own schema has it. */
  readonly schema?: TSchema;
  readonly example?: unknown;
}

export interface ResponseDocs {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: TSchema;
  /** Left out where the examples of the fields make a correct one. */
  readonly example?: unknown;
  readonly headers?: TObject;
}

import type { TObject, TSchema } from 'typebox';
import type { TagName } from './tags.ts';

/** What the OpenAPI document says of a route beyond what its schemas check: see `documented`. */
export interface OperationDocs {
  /** Unique; client generators name their functions by it. */
  readonly operationId: string;
  readonly summary: string;
  /** In Markdown, as OpenAPI has it: plain paragraphs and `code` are all we use. */
  readonly description: string;
  readonly tag: TagName;
  /** Whether the interface specification asks for it, or we added it. */
  readonly origin: 'specification' | 'addition';
  readonly access: Access;
  /** For what is read without a schema. */
  readonly headers?: TObject;
  readonly query?: TObject;
  readonly params?: TObject;
  /** For bodies that are no JSON. */
  readonly body?: BodyDocs;
  /** By status. */
  readonly responses: Readonly<Record<number, ResponseDocs>>;
  /** A command for the shell where one cannot be made from parameters and body. */
  readonly sample?: string;
}

/** Who is let in: whoever holds an API key of any role or of an owner or admin, or a signature, or everyone. */
export type Access = 'any role' | 'owner or admin' | 'signature' | 'open';

export interface BodyDocs {
  readonly description: string;
  readonly contentTypes: readonly [string, ...string[]];
  /** Left out where the route's own schema says it. */
  readonly schema?: TSchema;
  readonly example?: unknown;
}

export interface ResponseDocs {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: TSchema;
  /** Left out where the examples of the fields make a true one. */
  readonly example?: unknown;
  readonly headers?: TObject;
}

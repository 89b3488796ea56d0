import type { SignedIn } from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';
import { doDeed } from '../do-deed.ts';

/** Whose deed it is, and to which product. */
interface Doing {
  readonly orgId: string;
  readonly productId: string;
  readonly user: SignedIn;
}

/** A deed that is told of the product by its name. */
export async function doToProduct<Result>(
  ports: HttpPorts,
  { orgId, productId, user }: Doing,
  work: (ports: HttpPorts) => Promise<Result>,
  tell: (result: Result) => string | null,
): Promise<Result> {
  const done = await doDeed(
    ports,
    { orgId, user },
    async (within) => {
      const result = await work(within);
      const told = tell(result);
      const product = told === null ? null : await within.products.find(orgId, productId);
      return { result, summary: product && `${product.name}: ${told}.` };
    },
    ({ summary }) => (summary ? { kind: 'product-changed', subjectId: productId, summary } : null),
  );
  return done.result;
}

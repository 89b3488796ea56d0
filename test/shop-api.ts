/** A product to add, with a version of one file, which is named after its slug. */
interface NewProduct {
  readonly name: string;
  readonly slug: string;
  readonly file: Uint8Array | ReadableStream;
}

/** Adds a draft with a live version, 1.0. Returns its id, and the hash of its file. */
export async function addProduct(
  url: string,
  apiKey: string,
  { name, slug, file }: NewProduct,
): Promise<{ readonly id: string; readonly sha256: string }> {
  const call = (method: string, path: string, body?: object) => callApi(url, apiKey, method, path, body);
  const { id } = await readJson(call('POST', '/products', { name, slug }));
  const versions = `/products/${id}/versions`;
  const version = `${versions}/${(await readJson(call('POST', versions, { version: '1.0' }))).id}`;
  const { sha256 } = await readJson(call('PUT', `${version}/files/${slug}.zip`, file));
  await call('POST', `${version}/activate`);
  return { id, sha256 };
}

export async function setProductStatus(
  url: string,
  apiKey: string,
  productId: string,
  status: 'draft' | 'published',
): Promise<void> {
  await callApi(url, apiKey, 'PUT', `/products/${productId}`, { status });
}

/** Sells a product by the form. Returns the page with its links. */
export async function recordSale(
  url: string,
  apiKey: string,
  productId: string,
  buyer: { readonly name: string; readonly email: string },
): Promise<string> {
  const form = new URLSearchParams({
    customerId: 'new',
    'newCustomer.name': buyer.name,
    'newCustomer.email': buyer.email,
    productId,
    amount: '49.00',
    currency: 'EUR',
    paymentMethod: 'custom',
  });
  return (await callApi(url, apiKey, 'POST', '/purchases', form)).text();
}

/** `body`: a form, the bytes of a file, or what is sent as JSON. */
async function callApi(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const { headers, ...encoded } = encodeBody(body);
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    ...encoded,
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

function encodeBody(body: object | undefined): RequestInit {
  if (body === undefined) return {};
  if (body instanceof URLSearchParams) return { body };
  if (body instanceof Uint8Array || body instanceof ReadableStream) {
    const bytes = body instanceof Uint8Array ? new Uint8Array(body) : body;
    return { body: bytes, headers: { 'content-type': 'application/octet-stream' }, duplex: 'half' };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function readJson(
  response: Promise<Response>,
): Promise<{ readonly id: string; readonly sha256: string }> {
  return (await (await response).json()) as { readonly id: string; readonly sha256: string };
}

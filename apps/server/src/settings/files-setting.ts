import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { S3Place } from '@handover/adapters-files';
import { type Complain, type Get, trimEndingSlashes } from './read-value.ts';

/** Where product files are stored. */
export type FilesSetting =
  | { readonly kind: 'disk'; readonly directory: string }
  | { readonly kind: 's3'; readonly place: S3Place; readonly presigned: boolean };

/** Reads FILES_URL, and for a bucket its AWS_… variables. */
export function readFilesSetting(
  get: Get,
  { dataDir, required }: { readonly dataDir: string; readonly required: boolean },
  complain: Complain,
): FilesSetting {
  const fallback = { kind: 'disk', directory: resolve(dataDir, 'files') } as const;
  const text = get('FILES_URL');
  if (text === null) {
    if (required) {
      complain(
        'FILES_URL',
        'is required with DATABASE_URL; such as file:///srv/handover/files or s3://bucket',
      );
    }
    return fallback;
  }
  if (/^s3:/i.test(text)) return readBucket(text, get, complain) ?? fallback;
  if (/^file:\/\/\/./.test(text)) {
    try {
      return { kind: 'disk', directory: fileURLToPath(text) };
    } catch {
      // For example an encoded slash: handled below, with everything else that is not a path.
    }
  }
  complain(
    'FILES_URL',
    'must be a directory, such as file:///srv/handover/files, or a bucket, such as s3://bucket?region=eu-central-1',
  );
  return fallback;
}

const MEMBERS = ['endpoint', 'region', 'downloads'];

function readBucket(text: string, get: Get, complain: Complain): FilesSetting | null {
  const url = URL.parse(text);
  const bucket = url?.hostname ?? '';
  if (!url || !/^[a-z0-9][a-z0-9._-]{1,62}$/.test(bucket) || url.port || url.hash) {
    complain('FILES_URL', 'must name a bucket, such as s3://bucket/folder?region=eu-central-1');
    return null;
  }
  // Never repeated in the message: a URL may contain credentials.
  if (url.username || url.password) {
    complain('FILES_URL', 'must hold no key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead');
  }
  const odd = [...url.searchParams.keys()].filter((name) => !MEMBERS.includes(name));
  if (odd.length > 0)
    complain('FILES_URL', `knows ${MEMBERS.join(', ')} after “?”, not “${odd.join('”, “')}”`);
  const endpoint = readEndpoint(url.searchParams.get('endpoint'), complain);
  const region =
    url.searchParams.get('region') ??
    get('AWS_REGION') ??
    get('AWS_DEFAULT_REGION') ??
    // Stores other than Amazon's have one region, and use this name.
    (endpoint === null ? '' : 'us-east-1');
  if (region === '') complain('FILES_URL', 'must say the bucket’s region, such as ?region=eu-central-1');
  const prefix = readPrefix(url.pathname, complain);
  const credentials = readCredentials(get, complain);
  const presigned = readDownloads(url.searchParams.get('downloads'), complain);
  return { kind: 's3', place: { bucket, prefix, region, endpoint, credentials }, presigned };
}

function readEndpoint(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) {
    return trimEndingSlashes(url.href);
  }
  complain('FILES_URL', 'must have an endpoint such as ?endpoint=https://s3.example.com');
  return null;
}

function readPrefix(path: string, complain: Complain): string {
  const folder = trimEndingSlashes(path.replace(/^\/+/, ''));
  if (!/^[0-9A-Za-z._/-]*$/.test(folder) || folder.includes('//')) {
    complain('FILES_URL', 'must have a folder of letters, digits and - . _ / only');
  }
  return folder === '' ? '' : `${folder}/`;
}

/** Null: neither is set, so the key is found as Amazon's own tools find it. */
function readCredentials(get: Get, complain: Complain): S3Place['credentials'] {
  const accessKeyId = get('AWS_ACCESS_KEY_ID');
  const secretAccessKey = get('AWS_SECRET_ACCESS_KEY');
  const sessionToken = get('AWS_SESSION_TOKEN');
  if (accessKeyId === null && secretAccessKey === null) return null;
  if (accessKeyId === null) complain('AWS_ACCESS_KEY_ID', 'is missing beside AWS_SECRET_ACCESS_KEY');
  if (secretAccessKey === null) complain('AWS_SECRET_ACCESS_KEY', 'is missing beside AWS_ACCESS_KEY_ID');
  return {
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    ...(sessionToken === null ? {} : { sessionToken }),
  };
}

function readDownloads(text: string | null, complain: Complain): boolean {
  if (text === null || text === 'streamed') return false;
  if (text === 'presigned') return true;
  complain('FILES_URL', `must say downloads=streamed or downloads=presigned, not “${text}”`);
  return false;
}

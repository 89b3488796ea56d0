// A platform package depends on this package alone, so the domain types that it needs are re-exported.
export {
  addDecimals,
  type Candidate,
  type Decimal,
  formatDecimal,
  multiplyDecimal,
  type OrderLine,
  parseDecimal,
  subtractDecimals,
  type TenantRef,
  type TranslatedEntry,
  type TranslatedOrder,
} from '@handover/domain';
export { type CheckedPlatform, checkPlatform } from './check-platform.ts';
export { explainRefund } from './explain-refund.ts';
export { type FormPairs, parseForm, parseJsonOrForm, readFormPairs } from './form-body.ts';
export {
  type HeaderNames,
  type InboundHeaders,
  type KeptHeaders,
  keepHeaders,
  readHeader,
} from './headers.ts';
export { findStart, type ParsedBody, parseJsonExactly } from './parse-json-exactly.ts';
export type {
  Credential,
  InboundDelivery,
  PlatformWebhook,
  PlatformWebhooks,
  ProofOfOrigin,
  SampleSender,
  SigningConnection,
  Unreadable,
} from './platform-webhook.ts';
export { describePlatforms } from './platform-webhook.ts';
export {
  type AsRead,
  countItems,
  describeThrown,
  joinNames,
  lastSegment,
  listCandidates,
  MAX_LINES,
  readPayload,
  readQuantity,
  splitNames,
  translateItems,
} from './read-payload.ts';
export {
  countReadableBytes,
  createOrderReader,
  createRejectedReader,
  isPing,
  type KeptCredential,
  keepCredential,
  type Reception,
  readUnverified,
  readVerified,
  receive,
  translateAgain,
  verifySender,
} from './receive.ts';
export { type SampleMembers, type SampleSale, type SignedRequest, writeSample } from './sample-request.ts';
export { isSecretName, MASK } from './secret-names.ts';
export { translateBatch } from './translate-batch.ts';
export {
  findSigner,
  type HmacEncoding,
  type HmacScheme,
  isSameSecret,
  type Refused,
  readAsQuery,
  readSignature,
  refuse,
  signHmac,
  type Verification,
  type Verified,
  verifyHmac,
} from './verification.ts';
export { withOrderNumber } from './with-order-number.ts';

// What other packages and embedding teams may use. What a use case answers with stands on its line, where both fit.

export {
  type AcceptInvitationResult,
  acceptInvitation,
  lookAtInvitation,
} from './access/accept-invitation.ts';
export { type AddIntegrationSecretResult, addIntegrationSecret } from './access/add-integration-secret.ts';
export {
  ARRIVALS_PERIOD_MS,
  type ConnectionState,
  type EvaluatedConnection,
  evaluateConnection,
  MAX_ARRIVALS,
  type PlatformState,
  readConnectionStates,
} from './access/connection-state.ts';
export {
  type CreateOrganisationResult,
  type CreateUserResult,
  createOrganisation,
  createUser,
} from './access/create-organisation.ts';
export { type Authorisation, authorise, identifyCaller } from './access/identify-caller.ts';
export { identifySession, signOut, signOutEverywhere } from './access/identify-session.ts';
export {
  type Inviter,
  type InviteUserResult,
  inviteUser,
  type ResendInvitationResult,
  resendInvitation,
  type WithdrawInvitationResult,
  withdrawInvitation,
} from './access/invite-user.ts';
export { type MapAccountResult, mapAccount } from './access/map-account.ts';
export { isShortSecret, MIN_SECRET_LENGTH } from './access/read-secret.ts';
export {
  lookAtSignIn,
  type RedeemSignInResult,
  redeemSignIn,
  type SpentSignIn,
} from './access/redeem-sign-in.ts';
export { type RefreshApiKeyResult, refreshApiKey } from './access/refresh-api-key.ts';
export {
  type IssueSignInLinkResult,
  issueSignInLink,
  type RequestSignInResult,
  requestSignIn,
} from './access/request-sign-in.ts';
export { type SetAlertAddressResult, setAlertAddress } from './access/set-alert-address.ts';
export {
  readRules,
  type SetConnectionRulesResult,
  setConnectionRules,
} from './access/set-connection-rules.ts';
export { type SetDefaultCurrencyResult, setDefaultCurrency } from './access/set-default-currency.ts';
export {
  FORMER_SECRET_LIFETIME_MS,
  type SetIntegrationSecretResult,
  setIntegrationSecret,
} from './access/set-integration-secret.ts';
export { type SetSubscriptionResult, setSubscription } from './access/set-subscription.ts';
export { showApiKey } from './access/show-api-key.ts';
export {
  type ChangeRoleResult,
  changeRole,
  type RemoveUserResult,
  removeUser,
  type TeamEditor,
  type TeamRefusal,
} from './access/team.ts';
export { LIMITS } from './access/throttle.ts';
export { type UnmapAccountResult, unmapAccount } from './access/unmap-account.ts';
export { type UpdateOrganisationResult, updateOrganisation } from './access/update-organisation.ts';
export { pruneOld } from './audit/prune-old.ts';
export { removeOldBodies } from './audit/remove-old-bodies.ts';
export {
  type AuditedAction,
  type AuditScope,
  logAction,
  runAuditedAction,
} from './audit/run-audited-action.ts';
export { type CreateProductResult, createProduct, type NewProduct } from './catalogue/create-product.ts';
export { type FinishUploadResult, finishUpload, type WholeUpload } from './catalogue/finish-upload.ts';
export { type MapSkuResult, mapSku } from './catalogue/map-sku.ts';
export {
  type ActivateVersionResult,
  type AddVersionFileResult,
  activateVersion,
  addVersionFile,
  type CreateVersionResult,
  checkFilePlace,
  createVersion,
  type FilePlace,
  type PutVersionFileResult,
  putVersionFile,
  type ReopenVersionResult,
  reopenVersion,
  storeVersionFile,
} from './catalogue/prepare-version.ts';
export { type PublishAndDeliverResult, publishAndDeliver } from './catalogue/publish-product.ts';
export { unmapSku } from './catalogue/unmap-sku.ts';
export { type ProductChange, type UpdateProductResult, updateProduct } from './catalogue/update-product.ts';
export { completeDownload } from './downloads/complete-download.ts';
export { type DownloadsReport, readDownloadsReport } from './downloads/downloads-report.ts';
export {
  type OpenFileResult,
  type OpenLinkResult,
  openDownloadFile,
  openDownloadLink,
  type VersionFile,
} from './downloads/open-download-link.ts';
export { type ReadProgressResult, readProgress } from './downloads/read-progress.ts';
export { type InvalidPeriod, type ReportPeriod, readReportPeriod } from './downloads/report-period.ts';
export { type RequestFreshLinkResult, requestFreshLink } from './downloads/request-fresh-link.ts';
export { type RequestMyLinksResult, requestMyLinks } from './downloads/request-my-links.ts';
export { restoreLink, revokeLink } from './downloads/revoke-link.ts';
export { GIVE_UP_AFTER_MS } from './email/decide-outcome.ts';
export { limitMails } from './email/limit-mails.ts';
export { CLAIM_LASTS_MS, isClaimSure, maySend, SENDING_MARGIN_MS } from './email/mail-claim.ts';
export { hourOf, USUAL_MAILS_PER_HOUR } from './email/mail-limit.ts';
export { type SendEmailPorts, type SendEmailResult, sendEmail } from './email/send-email.ts';
export {
  ALERT_DELAY_MS,
  ALERT_WINDOW_MS,
  dueAt,
  type FormerAlertMail,
  latestDue,
  whenToMail,
} from './email/when-to-mail.ts';
export {
  type AlertedNow,
  type CollectedAlert,
  type EntryNow,
  evaluateAlerts,
  type KnownByNow,
} from './fulfilment/collected-alert.ts';
export { type DeliveryToDecide, decideFulfilment } from './fulfilment/decide-fulfilment.ts';
export { countGenuineRejected, deliverRejected } from './fulfilment/deliver-rejected.ts';
export { evaluateDelivery } from './fulfilment/evaluate-delivery.ts';
export { explainRefusal } from './fulfilment/explain.ts';
export {
  type DestinationPorts,
  type FoundDestination,
  findDestination,
} from './fulfilment/find-destination.ts';
export { findWaitingBuyers, type WaitingOrders } from './fulfilment/find-waiting-buyers.ts';
export {
  type FulfilDeliveryJob,
  type FulfilDeliveryResult,
  fulfilDelivery,
  resolveDelivery,
} from './fulfilment/fulfil-delivery.ts';
export { type FulfilOrderPorts, fulfilOrder } from './fulfilment/fulfil-order.ts';
export { MAX_UNREADABLE_MS, UNREADABLE_YET } from './fulfilment/give-up-entry.ts';
export { listOrderCandidates } from './fulfilment/join-listed-lines.ts';
export { type LineMatch, matchLine } from './fulfilment/match-line.ts';
export {
  type DeliveryPreview,
  type PreviewDeliveryResult,
  type PreviewedLine,
  previewDelivery,
} from './fulfilment/preview-delivery.ts';
export {
  HEAD_START_MS,
  joinNotes,
  type RecordDeliveriesResult,
  recordDeliveries,
} from './fulfilment/record-deliveries.ts';
export {
  type ReceivedUnassigned,
  recordUnassigned,
  type WaitingDelivery,
} from './fulfilment/record-unassigned.ts';
export { type RedeliverResult, redeliver } from './fulfilment/redeliver.ts';
export {
  countOpenWithSku,
  type ReleasePorts,
  releaseEntries,
  releaseHeld,
  releaseUnmatched,
} from './fulfilment/release.ts';
export {
  type AnsweredMail,
  type DueJob,
  type JobAnswer,
  type JobPorts,
  runJob,
} from './fulfilment/run-job.ts';
export { type RunUnassignedPorts, runUnassigned } from './fulfilment/run-unassigned.ts';
export {
  chooseKept,
  MAX_REJECTED_BYTES,
  MAX_REJECTED_BYTES_PER_SOURCE,
  MAX_REJECTED_PER_SOURCE,
  type RejectedSize,
  WHOLE_SHARE,
} from './fulfilment/share-rejected.ts';
export type {
  ActionItemFacts,
  FailedOrders,
  GivenUpAlerts,
  HeldOrders,
  PostponedReceipts,
  RefusedReceipts,
  UnmatchedNeed,
} from './model/action-items.ts';
export {
  ACTIVITY_VIAS,
  type ActivityEntry,
  type ActivityKind,
  type ActivityOrigin,
  type ActivityVia,
  AUTOMATIC,
  COMMAND_LINE,
} from './model/activity.ts';
export { type Alert, type AlertCause, type AlertDetails, alertOfRefusal } from './model/alert.ts';
export {
  ALERTS_IN_A_MAIL,
  type AlertMail,
  type AlertNotice,
  type PendingAlertMail,
} from './model/alert-mail.ts';
export { type ByteRange, countBytes, MAX_PIECES, uniteRanges } from './model/byte-ranges.ts';
export {
  type Connection,
  type ConnectionFacts,
  type ConnectionRules,
  type Destination,
  USUAL_RULES,
} from './model/connection.ts';
export { currencyDigits, readAmount } from './model/currency.ts';
export {
  addDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
  subtractDecimals,
} from './model/decimal.ts';
export type {
  Delivery,
  DeliveryBody,
  DeliveryLine,
  DeliveryListRow,
  DeliveryStatus,
  HeldFor,
  LineOutcome,
  Proof,
  ReceivedDelivery,
  StoredDelivery,
} from './model/delivery.ts';
export { type DownloadLink, type DownloadPage, LINK_LIFETIME_MS, linkExpiry } from './model/download-link.ts';
export {
  type DownloadLinkEmail,
  type DownloadLinkEmailItem,
  type DownloadLinkEmailShop,
  LINKS_PER_MAIL,
  type NewDownloadLinkEmail,
  type PendingDownloadLinkEmail,
  type PendingDownloadLinkEmailShop,
} from './model/download-link-email.ts';
export {
  classifyClient,
  classifyDownload,
  type DownloadClient,
  type DownloadProgress,
  type DownloadQuery,
  type DownloadSessionRecord,
  type DownloadSessionRow,
  type DownloadState,
  type FileProgress,
  INTERRUPTED_AFTER_MS,
  LISTED_FILES,
  MAX_SESSIONS_PER_LINK,
  SESSION_PAUSE_MS,
  type SentBytes,
} from './model/download-session.ts';
export { localPart, maskEmail, normalizeEmail, readEmail } from './model/email-address.ts';
export { DomainError, type DomainErrorCode, isDecidedMeanwhile } from './model/errors.ts';
export type { FirstSteps } from './model/first-steps.ts';
export { displayAmount, writeAmount } from './model/format-amount.ts';
export { groupDigits } from './model/group-digits.ts';
export {
  INVITATION_LIFETIME_MS,
  type Invitation,
  type InvitationMail,
  type InvitationMailState,
  type InvitationRecord,
  type InvitationState,
  type ListedInvitation,
  mayGiveRoles,
  type PendingInvitationMail,
} from './model/invitation.ts';
export type { Job } from './model/job.ts';
export {
  LISTED_LINES,
  type LogCounts,
  type LogEntry,
  type LogLine,
  type LogQuery,
  type LogSource,
  MAX_COUNTED,
  type OpenedLogEntry,
  SHOWN_LINES,
  type WaitingReceipt,
} from './model/log-entry.ts';
export type { ClaimEnd, MailAnswer, PostponedMail } from './model/mail-answer.ts';
export type { MailedPurchase, Mailing, NewMailing } from './model/mailing.ts';
export type {
  DayMetrics,
  DownloadCounts,
  DownloadDay,
  DownloadMetrics,
  TodayMetrics,
} from './model/metrics.ts';
export type { HeldOrder, UnmatchedMark, UnmatchedSku } from './model/open-delivery.ts';
export type { Candidate, Order, OrderLine, TranslatedEntry, TranslatedOrder } from './model/order.ts';
export type { Organisation } from './model/organisation.ts';
export {
  type EmailClaim,
  type EmailKind,
  type EmailMessage,
  type EmailOutcome,
  NO_ORGANISATION,
  type PendingEmail,
} from './model/outgoing-email.ts';
export type { EmailStatus } from './model/pending-email.ts';
export type { DecidedDelivery, KnownProduct, KnownPurchase, OrderSnapshot, Plan } from './model/plan.ts';
export { isPlatform, PLATFORMS, type Platform, SHARED_PLATFORM, VENDORS } from './model/platform.ts';
export {
  checkDeliverability,
  type Deliverability,
  normalizeSlug,
  PRODUCT_STATUSES,
  type Product,
  type ProductFile,
  type ProductListRow,
  type ProductStatus,
  type ProductVersion,
  type ProductVersionStatus,
} from './model/product.ts';
export type {
  Customer,
  FoundPurchase,
  Purchase,
  PurchaseAlias,
  PurchaseQuery,
  PurchaseRow,
  PurchaseSource,
  RevokePurchaseResult,
} from './model/purchase.ts';
export {
  type PurchaseDelivery,
  type PurchaseLink,
  type PurchaseReceipt,
  type PurchaseRecord,
  type PurchaseSession,
  RECORD_LIMIT,
} from './model/purchase-record.ts';
export type {
  PendingReceipt,
  PendingReceiptItem,
  Receipt,
  ReceiptItem,
  ReceiptMail,
  ReceiptStatus,
} from './model/receipt.ts';
export {
  MAX_REJECTED,
  REJECTED_LIFETIME_MS,
  type RejectedDelivery,
  type RejectionSummary,
} from './model/rejected-delivery.ts';
export { formatRelease, parseRelease, type Release } from './model/release.ts';
export type { AddSaleResult, NewSale } from './model/sale.ts';
export {
  MAX_OPEN_SIGN_INS,
  MAX_SESSIONS_PER_USER,
  type OpenSignIn,
  type PendingSignInMail,
  SIGN_IN_LIFETIME_MS,
  type SignedIn,
  type SignInMail,
  type SignInRecord,
  type StoredSession,
  sessionExpiry,
} from './model/sign-in.ts';
export { normalizeSku, type SkuMapping } from './model/sku-mapping.ts';
export type { TenantRef } from './model/tenant-ref.ts';
export {
  type AssignableDelivery,
  describeAssigned,
  type UnassignedDelivery,
} from './model/unassigned-delivery.ts';
export {
  type Caller,
  ROLES,
  type Role,
  type StoredApiKey,
  type TeamMember,
  type User,
} from './model/user.ts';
export type { InvalidInput } from './model/validation.ts';
export {
  type ActionItem,
  type ActionItemsOverview,
  listActionItems,
  MAX_WAITING,
  type RejectingPlatform,
  type ShortSecretConnection,
  type SilentConnection,
} from './overview/action-items.ts';
export { type MetricsOverview, readMetrics } from './overview/metrics.ts';
export type {
  ActivityLog,
  ApiKeys,
  Connections,
  CountedTries,
  NewSignIn,
  Organisations,
  PaymentAccounts,
  SecretFingerprints,
  SessionTokens,
  SignIns,
  SignInTokens,
  SigningSecrets,
  SourceFingerprints,
  Team,
  Throttles,
  UserSessions,
  Users,
} from './ports/access.ts';
export type {
  FileStore,
  ProductQuery,
  Products,
  ProductValues,
  SkuMappings,
  StagedUploads,
  StoredContent,
  VersionWithFiles,
} from './ports/catalogue.ts';
export type { Clock, Ids, Timer } from './ports/clock.ts';
export type {
  CompletedDownload,
  DownloadLinks,
  DownloadSessions,
  DownloadTokens,
} from './ports/downloads.ts';
export type {
  CommitAnswer,
  DeliveryLog,
  DeliveryQuery,
  DeliveryRecording,
  Fulfilment,
  Maintenance,
  OpenDeliveries,
  OrderReader,
  Prunable,
  RejectedDeliveries,
  RejectedReader,
  Rejection,
  UnassignedDeliveries,
} from './ports/fulfilment.ts';
export type { Invitations, InvitationTokens } from './ports/invitations.ts';
export type {
  DownloadLinkEmails,
  LimitedMailer,
  MailClaim,
  MailCounts,
  Mailer,
  Mailings,
  OutgoingEmails,
} from './ports/mails.ts';
export type { ActionItems, Metrics } from './ports/overview.ts';
export type { Customers, Purchases, PurchaseWords } from './ports/purchases.ts';
export type { Stores } from './ports/stores.ts';
export { type CorrectAddressResult, correctAddress } from './purchases/correct-address.ts';
export { evaluatePurchase, type PurchaseState } from './purchases/purchase-state.ts';
export {
  summariseTimeline,
  type TimelineStep,
  type TimelineSummary,
  tellTimeline,
} from './purchases/purchase-timeline.ts';
export {
  type RecordSaleResult,
  recordSale,
  type SaleForm,
  type SaleOrigin,
} from './purchases/record-sale.ts';
export { type ResendReceiptResult, resendReceipt } from './purchases/resend-receipt.ts';
export { restorePurchase, revokePurchase } from './purchases/revoke-purchase.ts';
export { normalizeOrderNumber, searchWords } from './purchases/search-words.ts';

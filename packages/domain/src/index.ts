// What other packages and embedding teams may use. What a use case answers with stands on its line, where both fit.

export type { AcceptInvitationResult } from './access/accept-invitation.ts';
export { acceptInvitation, lookAtInvitation } from './access/accept-invitation.ts';
export { type AddIntegrationSecretResult, addIntegrationSecret } from './access/add-integration-secret.ts';
export type { Connection, ConnectionRules, Destination } from './access/connection.ts';
export type {
  ConnectionFacts,
  ConnectionState,
  EvaluatedConnection,
  PlatformState,
} from './access/connection-state.ts';
export {
  ARRIVALS_PERIOD_MS,
  evaluateConnection,
  MAX_ARRIVALS,
  readConnectionStates,
} from './access/connection-state.ts';
export type { CreateOrganisationResult, CreateUserResult } from './access/create-organisation.ts';
export { createOrganisation, createUser } from './access/create-organisation.ts';
export { type Authorisation, authorise, identifyCaller } from './access/identify-caller.ts';
export { identifySession, signOut, signOutEverywhere } from './access/identify-session.ts';
export type {
  Invitation,
  InvitationMail,
  InvitationMailState,
  InvitationRecord,
  InvitationState,
  ListedInvitation,
  PendingInvitationMail,
} from './access/invitation.ts';
export { INVITATION_LIFETIME_MS, mayGiveRoles } from './access/invitation.ts';
export type {
  Inviter,
  InviteUserResult,
  ResendInvitationResult,
  WithdrawInvitationResult,
} from './access/invite-user.ts';
export { inviteUser, resendInvitation, withdrawInvitation } from './access/invite-user.ts';
export { type MapAccountResult, mapAccount } from './access/map-account.ts';
export type { Caller, Organisation, Role, StoredApiKey, User } from './access/organisation.ts';
export { ROLES } from './access/organisation.ts';
export { isShortSecret, MIN_SECRET_LENGTH } from './access/read-secret.ts';
export {
  lookAtSignIn,
  type RedeemSignInResult,
  redeemSignIn,
  type SpentSignIn,
} from './access/redeem-sign-in.ts';
export { type RefreshApiKeyResult, refreshApiKey } from './access/refresh-api-key.ts';
export type { IssueSignInLinkResult, RequestSignInResult } from './access/request-sign-in.ts';
export { issueSignInLink, requestSignIn } from './access/request-sign-in.ts';
export { type SetAlertAddressResult, setAlertAddress } from './access/set-alert-address.ts';
export type { SetConnectionRulesResult } from './access/set-connection-rules.ts';
export { readRules, setConnectionRules } from './access/set-connection-rules.ts';
export { type SetDefaultCurrencyResult, setDefaultCurrency } from './access/set-default-currency.ts';
export type { SetIntegrationSecretResult } from './access/set-integration-secret.ts';
export { FORMER_SECRET_LIFETIME_MS, setIntegrationSecret } from './access/set-integration-secret.ts';
export { type SetSubscriptionResult, setSubscription } from './access/set-subscription.ts';
export { showApiKey } from './access/show-api-key.ts';
export type {
  OpenSignIn,
  PendingSignInMail,
  SignedIn,
  SignInMail,
  SignInRecord,
  StoredSession,
} from './access/sign-in.ts';
export {
  MAX_OPEN_SIGN_INS,
  MAX_SESSIONS_PER_USER,
  SIGN_IN_LIFETIME_MS,
  sessionExpiry,
} from './access/sign-in.ts';
export type {
  ChangeRoleResult,
  RemoveUserResult,
  TeamEditor,
  TeamMember,
  TeamRefusal,
} from './access/team.ts';
export { changeRole, removeUser } from './access/team.ts';
export { type UnmapAccountResult, unmapAccount } from './access/unmap-account.ts';
export { type UpdateOrganisationResult, updateOrganisation } from './access/update-organisation.ts';
export {
  ACTIVITY_VIAS,
  type ActivityOrigin,
  type ActivityVia,
  COMMAND_LINE,
} from './activity/activity-origin.ts';
export {
  type AuditedAction,
  type AuditScope,
  logAction,
  runAuditedAction,
} from './activity/run-audited-action.ts';
export { type Alert, type AlertCause, type AlertDetails, alertOfRefusal } from './alerts/alert.ts';
export type { AlertMail, AlertNotice, PendingAlertMail } from './alerts/alert-mail.ts';
export { ALERTS_IN_A_MAIL } from './alerts/alert-mail.ts';
export type { AlertedNow, CollectedAlert, EntryNow, KnownByNow } from './alerts/collected-alert.ts';
export { evaluateAlerts } from './alerts/collected-alert.ts';
export {
  ALERT_DELAY_MS,
  ALERT_WINDOW_MS,
  dueAt,
  type FormerAlertMail,
  latestDue,
  whenToMail,
} from './alerts/when-to-mail.ts';
export { type CreateProductResult, createProduct, type NewProduct } from './catalogue/create-product.ts';
export { checkDeliverability, type Deliverability } from './catalogue/deliverability.ts';
export { type FinishUploadResult, finishUpload, type WholeUpload } from './catalogue/finish-upload.ts';
export { type MapSkuResult, mapSku } from './catalogue/map-sku.ts';
export type {
  ActivateVersionResult,
  AddVersionFileResult,
  CreateVersionResult,
  FilePlace,
  PutVersionFileResult,
  ReopenVersionResult,
} from './catalogue/prepare-version.ts';
export {
  activateVersion,
  addVersionFile,
  checkFilePlace,
  createVersion,
  putVersionFile,
  reopenVersion,
  storeVersionFile,
} from './catalogue/prepare-version.ts';
export type {
  Product,
  ProductFile,
  ProductListRow,
  ProductStatus,
  ProductVersion,
  ProductVersionStatus,
} from './catalogue/product.ts';
export { PRODUCT_STATUSES } from './catalogue/product.ts';
export { type PublishAndDeliverResult, publishAndDeliver } from './catalogue/publish-product.ts';
export { normalizeSku, type SkuMapping } from './catalogue/sku-mapping.ts';
export { normalizeSlug } from './catalogue/slug.ts';
export { unmapSku } from './catalogue/unmap-sku.ts';
export { type ProductChange, type UpdateProductResult, updateProduct } from './catalogue/update-product.ts';
export { type ByteRange, countBytes, MAX_PIECES, uniteRanges } from './downloads/byte-ranges.ts';
export { completeDownload } from './downloads/complete-download.ts';
export { type DownloadLink, LINK_LIFETIME_MS, linkExpiry } from './downloads/download-link.ts';
export type {
  DownloadLinkEmail,
  DownloadLinkEmailItem,
  DownloadLinkEmailShop,
  NewDownloadLinkEmail,
  PendingDownloadLinkEmail,
  PendingDownloadLinkEmailShop,
} from './downloads/download-link-email.ts';
export { LINKS_PER_MAIL } from './downloads/download-link-email.ts';
export type { DownloadPage } from './downloads/download-page.ts';
export type {
  DownloadClient,
  DownloadProgress,
  DownloadQuery,
  DownloadSessionRecord,
  DownloadSessionRow,
  DownloadState,
  FileProgress,
  SentBytes,
} from './downloads/download-session.ts';
export {
  classifyClient,
  classifyDownload,
  INTERRUPTED_AFTER_MS,
  LISTED_FILES,
  MAX_SESSIONS_PER_LINK,
  SESSION_PAUSE_MS,
} from './downloads/download-session.ts';
export type {
  DownloadCounts,
  DownloadDay,
  DownloadMetrics,
  DownloadsReport,
} from './downloads/downloads-report.ts';
export { readDownloadsReport } from './downloads/downloads-report.ts';
export type { OpenFileResult, OpenLinkResult, VersionFile } from './downloads/open-download-link.ts';
export { openDownloadFile, openDownloadLink } from './downloads/open-download-link.ts';
export { type ReadProgressResult, readProgress } from './downloads/read-progress.ts';
export { type InvalidPeriod, type ReportPeriod, readReportPeriod } from './downloads/report-period.ts';
export { type RequestFreshLinkResult, requestFreshLink } from './downloads/request-fresh-link.ts';
export { type RequestMyLinksResult, requestMyLinks } from './downloads/request-my-links.ts';
export { restoreLink, revokeLink } from './downloads/revoke-link.ts';
export { type CountedTries, LIMITS } from './downloads/throttle.ts';
export { GIVE_UP_AFTER_MS } from './emails/decide-outcome.ts';
export { limitMails } from './emails/limit-mails.ts';
export type { MailAnswer } from './emails/mail-answer.ts';
export {
  CLAIM_LASTS_MS,
  type ClaimEnd,
  isClaimSure,
  maySend,
  SENDING_MARGIN_MS,
} from './emails/mail-claim.ts';
export type { PostponedMail } from './emails/mail-limit.ts';
export { USUAL_MAILS_PER_HOUR } from './emails/mail-limit.ts';
export type {
  EmailClaim,
  EmailKind,
  EmailMessage,
  EmailOutcome,
  EmailStatus,
  PendingEmail,
} from './emails/outgoing-email.ts';
export { NO_ORGANISATION } from './emails/outgoing-email.ts';
export { type SendEmailPorts, type SendEmailResult, sendEmail } from './emails/send-email.ts';
export { DomainError, type DomainErrorCode, isDecidedMeanwhile } from './errors.ts';
export { type DeliveryToDecide, decideFulfilment } from './fulfilment/decide-fulfilment.ts';
export type {
  Delivery,
  DeliveryBody,
  DeliveryLine,
  DeliveryListRow,
  DeliveryStatus,
  HeldFor,
  LineOutcome,
  StoredDelivery,
} from './fulfilment/delivery.ts';
export { evaluateDelivery } from './fulfilment/evaluate-delivery.ts';
export { explainRefusal } from './fulfilment/explain.ts';
export type { DestinationPorts, FoundDestination } from './fulfilment/find-destination.ts';
export { findDestination } from './fulfilment/find-destination.ts';
export { findWaitingBuyers, type WaitingOrders } from './fulfilment/find-waiting-buyers.ts';
export type { FulfilDeliveryJob, FulfilDeliveryResult } from './fulfilment/fulfil-delivery.ts';
export { fulfilDelivery, resolveDelivery } from './fulfilment/fulfil-delivery.ts';
export { type FulfilOrderPorts, fulfilOrder } from './fulfilment/fulfil-order.ts';
export { MAX_UNREADABLE_MS, UNREADABLE_YET } from './fulfilment/give-up-entry.ts';
export type { Job } from './fulfilment/job.ts';
export { listOrderCandidates } from './fulfilment/join-listed-lines.ts';
export type {
  LogCounts,
  LogEntry,
  LogLine,
  LogQuery,
  LogSource,
  OpenedLogEntry,
  WaitingReceipt,
} from './fulfilment/log-entry.ts';
export { LISTED_LINES, MAX_COUNTED, SHOWN_LINES } from './fulfilment/log-entry.ts';
export { type LineMatch, matchLine } from './fulfilment/match-line.ts';
export type { HeldOrder, UnmatchedMark, UnmatchedSku } from './fulfilment/open-delivery.ts';
export type {
  ActivityEntry,
  ActivityKind,
  DecidedDelivery,
  KnownProduct,
  KnownPurchase,
  OrderSnapshot,
  Plan,
} from './fulfilment/plan.ts';
export type { DeliveryPreview, PreviewDeliveryResult, PreviewedLine } from './fulfilment/preview-delivery.ts';
export { previewDelivery } from './fulfilment/preview-delivery.ts';
export type { Proof } from './fulfilment/proof.ts';
export type { PurchaseAlias } from './fulfilment/purchase-aliases.ts';
export type { ReceivedDelivery, RecordDeliveriesResult } from './fulfilment/record-deliveries.ts';
export { HEAD_START_MS, joinNotes, recordDeliveries } from './fulfilment/record-deliveries.ts';
export type { ReceivedUnassigned, WaitingDelivery } from './fulfilment/record-unassigned.ts';
export { recordUnassigned } from './fulfilment/record-unassigned.ts';
export { type RedeliverResult, redeliver } from './fulfilment/redeliver.ts';
export {
  countOpenWithSku,
  formatRelease,
  parseRelease,
  type Release,
  type ReleasePorts,
  releaseEntries,
  releaseHeld,
  releaseUnmatched,
} from './fulfilment/release.ts';
export { type RunUnassignedPorts, runUnassigned } from './fulfilment/run-unassigned.ts';
export type { AssignableDelivery, UnassignedDelivery } from './fulfilment/unassigned-delivery.ts';
export { describeAssigned } from './fulfilment/unassigned-delivery.ts';
export { type AnsweredMail, type DueJob, type JobAnswer, type JobPorts, runJob } from './jobs/run-job.ts';
export { pruneOld } from './maintenance/prune-old.ts';
export { removeOldBodies } from './maintenance/remove-old-bodies.ts';
export { currencyDigits, readAmount } from './orders/currency.ts';
export type { Decimal } from './orders/decimal.ts';
export {
  addDecimals,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
  subtractDecimals,
} from './orders/decimal.ts';
export { displayAmount, writeAmount } from './orders/format-amount.ts';
export { groupDigits } from './orders/group-digits.ts';
export type { Candidate, Order, OrderLine, TranslatedEntry, TranslatedOrder } from './orders/order.ts';
export { isPlatform, PLATFORMS, type Platform, SHARED_PLATFORM, VENDORS } from './orders/platform.ts';
export type { TenantRef } from './orders/tenant-ref.ts';
export type {
  ActionItem,
  ActionItemFacts,
  ActionItemsOverview,
  FailedOrders,
  GivenUpAlerts,
  HeldOrders,
  PostponedReceipts,
  RefusedReceipts,
  RejectingPlatform,
  ShortSecretConnection,
  SilentConnection,
  UnmatchedNeed,
} from './overview/action-items.ts';
export { listActionItems, MAX_WAITING } from './overview/action-items.ts';
export type { FirstSteps } from './overview/first-steps.ts';
export { type DayMetrics, type MetricsOverview, readMetrics, type TodayMetrics } from './overview/metrics.ts';
export type {
  ActionItems,
  ActivityLog,
  ApiKeys,
  Clock,
  CommitAnswer,
  CompletedDownload,
  Connections,
  Customers,
  DeliveryLog,
  DeliveryQuery,
  DeliveryRecording,
  DownloadLinkEmails,
  DownloadLinks,
  DownloadSessions,
  DownloadTokens,
  FileStore,
  Fulfilment,
  Ids,
  Invitations,
  InvitationTokens,
  LimitedMailer,
  MailClaim,
  MailCounts,
  Mailer,
  Mailings,
  Maintenance,
  Metrics,
  NewSignIn,
  OpenDeliveries,
  OrderReader,
  Organisations,
  OutgoingEmails,
  PaymentAccounts,
  ProductQuery,
  Products,
  ProductValues,
  Prunable,
  Purchases,
  PurchaseWords,
  RejectedDeliveries,
  RejectedReader,
  Rejection,
  SecretFingerprints,
  SessionTokens,
  SignIns,
  SignInTokens,
  SigningSecrets,
  SkuMappings,
  SourceFingerprints,
  StagedUploads,
  StoredContent,
  Stores,
  Team,
  Throttles,
  Timer,
  UnassignedDeliveries,
  UserSessions,
  Users,
  VersionWithFiles,
} from './ports.ts';
export { type CorrectAddressResult, correctAddress } from './purchases/correct-address.ts';
export { localPart, maskEmail, normalizeEmail, readEmail } from './purchases/email.ts';
export type { Customer, Purchase, PurchaseRow, PurchaseSource } from './purchases/purchase.ts';
export type { FoundPurchase, PurchaseQuery } from './purchases/purchase-query.ts';
export type {
  PurchaseDelivery,
  PurchaseLink,
  PurchaseReceipt,
  PurchaseRecord,
  PurchaseSession,
} from './purchases/purchase-record.ts';
export { RECORD_LIMIT } from './purchases/purchase-record.ts';
export { evaluatePurchase, type PurchaseState } from './purchases/purchase-state.ts';
export type { TimelineStep, TimelineSummary } from './purchases/purchase-timeline.ts';
export { summariseTimeline, tellTimeline } from './purchases/purchase-timeline.ts';
export type { RecordSaleResult, SaleForm, SaleOrigin } from './purchases/record-sale.ts';
export { recordSale } from './purchases/record-sale.ts';
export { type RevokePurchaseResult, restorePurchase, revokePurchase } from './purchases/revoke-purchase.ts';
export type { AddSaleResult, NewSale } from './purchases/sale.ts';
export { normalizeOrderNumber, searchWords } from './purchases/search-words.ts';
export type { MailedPurchase, Mailing, NewMailing } from './receipts/mailing.ts';
export type { PendingReceipt, PendingReceiptItem } from './receipts/pending-receipt.ts';
export type { Receipt, ReceiptItem, ReceiptMail, ReceiptStatus } from './receipts/receipt.ts';
export { type ResendReceiptResult, resendReceipt } from './receipts/resend-receipt.ts';
export { countGenuineRejected, deliverRejected } from './rejected/deliver-rejected.ts';
export type { RejectedDelivery, RejectionSummary } from './rejected/rejected-delivery.ts';
export { MAX_REJECTED, REJECTED_LIFETIME_MS } from './rejected/rejected-delivery.ts';
export {
  chooseKept,
  MAX_REJECTED_BYTES,
  MAX_REJECTED_BYTES_PER_SOURCE,
  MAX_REJECTED_PER_SOURCE,
  type RejectedSize,
  WHOLE_SHARE,
} from './rejected/share-rejected.ts';
export type { InvalidInput } from './validation.ts';
